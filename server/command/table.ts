/** Lines of a table for a terminal: each column as wide as its widest text, two spaces between. */
export function asTable(headings: string[], rows: string[][]): string {
  // A name must not move the cursor of the terminal.
  const all = [headings, ...rows].map((row) => row.map((text) => text.replaceAll(/\p{Cc}/gu, ' ')));
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map(
      (row) =>
        `${row
          .map((text, column) => text.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** A moment as `2026-11-23 07:15 UTC`; `never` for null. */
export const asMinute = (moment: Date | null): string =>
  moment === null ? 'never' : `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A number of bytes as `1.2 GB`. */
export function describeBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${value.toFixed(unit > 1 && value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** What a database has, in short: `2 companies, 31 employees, 1,200 notifications`. */
export const describeCounts = (tables: Record<string, number>): string =>
  ['companies', 'employees', 'notifications']
    .map((name) => `${(tables[name] ?? 0).toLocaleString('en-US')} ${name}`)
    .join(', ');
