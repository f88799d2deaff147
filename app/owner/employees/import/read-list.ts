import papaparse from 'papaparse';

/** A person of a list; `line` is the row of the sheet, counted from 1 with its heading. */
export type ListedPerson = { line: number; name: string; role: string };

/** What a text holds: its people, how its columns are divided, and whether its first row is a heading. */
export type ReadList = { people: ListedPerson[]; delimiter: '\t' | ';' | ','; heading: boolean };

type Columns = { name: number; role: number };

const nameWords = ['nama', 'name', 'karyawan', 'pegawai', 'staf', 'staff', 'employee'];
const nameHeadings = new Set([
  ...nameWords,
  ...['nama lengkap', 'nama karyawan', 'nama pegawai', 'nama staf', 'full name', 'fullname', 'employee name'],
]);
const roleHeadings = new Set([
  ...['peran', 'jabatan', 'posisi', 'pekerjaan', 'bagian', 'tugas'],
  ...['role', 'position', 'title', 'job title', 'job', 'department'],
]);

/**
 * Reads people from CSV or from cells pasted out of a spreadsheet. A quotation mark that is never closed is told by its row,
 * because everything behind it would be one name.
 */
export function readList(text: string): ReadList | { unclosedQuote: number } {
  const { text: body, delimiter: told } = takeDelimiterLine(text.replace(/^\u{feff}/u, ''));
  const skipped = told ? 1 : 0;
  const { delimiter, rows, unclosedQuote } = told ? split(body, told) : chooseDelimiter(body);
  if (unclosedQuote !== null) return { unclosedQuote: unclosedQuote + 1 + skipped };
  const numbered = rows
    .map((cells, at) => ({ line: at + 1 + skipped, cells: cells.map(tidy) }))
    .filter(({ cells }) => cells.some((cell) => /[^\s;,]/.test(cell)));
  const heading = findHeading(numbered[0]?.cells ?? []);
  const columns = heading ?? guessColumns(numbered.map(({ cells }) => cells));
  const people = (heading ? numbered.slice(1) : numbered).map(({ line, cells }) => ({
    ...{ line, name: cells[columns.name] ?? '', role: cells[columns.role] ?? '' },
  }));
  return { people, delimiter, heading: heading !== null };
}

type Split = { delimiter: ReadList['delimiter']; rows: string[][]; unclosedQuote: number | null };

const noQuotes = '\0';

function split(text: string, delimiter: ReadList['delimiter'], quoteChar = '"'): Split {
  const { data, errors } = papaparse.parse<string[]>(text, { delimiter, quoteChar });
  const unclosed = errors.find(({ code }) => code === 'MissingQuotes');
  return { delimiter, rows: data, unclosedQuote: unclosed ? (unclosed.row ?? data.length - 1) : null };
}

// Excel's own way of naming the separator.
function takeDelimiterLine(text: string): { text: string; delimiter?: ReadList['delimiter'] } {
  const [line, delimiter] = /^sep=([;,\t])\r?\n?/i.exec(text) ?? [];
  return line ? { text: text.slice(line.length), delimiter: delimiter as ReadList['delimiter'] } : { text };
}

/**
 * The separator with which most rows have the same number of cells, more than one. Between equals a tab wins over a semicolon
 * and that over a comma: a comma is also what stands before a degree in a name. Where a quotation mark stays open it was
 * perhaps only part of a name, and marks are read as such when all rows are alike then.
 */
function chooseDelimiter(text: string): Split {
  const { best } = tryAll(text);
  if (best.unclosedQuote === null) return best;
  const plain = tryAll(text, noQuotes);
  return plain.score === 1 ? plain.best : best;
}

function tryAll(text: string, quoteChar?: string): { best: Split; score: number } {
  const tried = (['\t', ';', ','] as const).map((delimiter) => {
    const best = split(text, delimiter, quoteChar);
    return { best, score: scoreOf(best.rows) - (best.unclosedQuote === null ? 0 : 0.001) };
  });
  return tried.reduce((one, other) => (other.score > one.score ? other : one));
}

function scoreOf(rows: string[][]): number {
  const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  const counts = new Map<number, number>();
  for (const { length } of filled) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  return Math.max(0, ...counts.values()) / Math.max(1, filled.length);
}

// Line breaks within a cell and the hard spaces of web pages are spaces in a name.
const tidy = (cell: string) => cell.replace(/\s+/g, ' ').trim();

function findHeading(cells: string[]): Columns | null {
  const words = cells.map((cell) =>
    cell
      .toLowerCase()
      .replace(/[^\p{L}\s]/gu, '')
      .trim(),
  );
  const name = words.findIndex((word) => nameHeadings.has(word));
  return name < 0 ? null : { name, role: words.findIndex((word) => roleHeadings.has(word)) };
}

// Without a heading: name, then role; before them there may be a column of running numbers.
function guessColumns(rows: string[][]): Columns {
  const numbered =
    rows.length > 0 && rows.every(([first = '', second]) => /^\d*\.?$/.test(first) && second !== undefined);
  return numbered ? { name: 1, role: 2 } : { name: 0, role: 1 };
}
