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
