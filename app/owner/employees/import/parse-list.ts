import papaparse from 'papaparse';
import headings from '#messages/import-headings.json';
import { escapeFormulas, unescapeFormulas } from '#server/exports/csv.ts';

/** The text of a file and its encoding, or the reason why it is no text. */
type DecodedFile = { text: string; encoding: 'utf-8' | 'utf-16' | 'windows-1252' } | 'spreadsheet' | 'unreadable';

const startsWith = (bytes: Uint8Array, start: number[]) => start.every((byte, index) => bytes[index] === byte);
const decode = (bytes: Uint8Array, encoding: string) => new TextDecoder(encoding).decode(bytes);

/** Decodes a text file by its byte order mark, else as UTF-8, else as Windows-1252, which may be wrong. */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return 'spreadsheet';
  if (startsWith(bytes, [0xff, 0xfe])) return { text: decode(bytes, 'utf-16le'), encoding: 'utf-16' };
  if (startsWith(bytes, [0xfe, 0xff])) return { text: decode(bytes, 'utf-16be'), encoding: 'utf-16' };
  const text = decodeUtf8(bytes);
  if (text !== null && !text.includes('\0')) return { text, encoding: 'utf-8' };
  return bytes.includes(0) ? 'unreadable' : { text: decode(bytes, 'windows-1252'), encoding: 'windows-1252' };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

export const delimiters = { '\t': 'tab', ';': 'semicolon', ',': 'comma' } as const;

type Delimiter = keyof typeof delimiters;

/** A person in a list. `line` counts the rows of the sheet from 1. Only a heading can name a `staffNumber`. */
export type ListedPerson = { line: number; name: string; role: string; staffNumber?: string };

/** The people in a text, the delimiter of its columns, and whether its first row is a heading. */
export type ParsedList = { people: ListedPerson[]; delimiter: Delimiter; heading: boolean };

type Columns = { name: number; role: number; number: number };

/** Parses people from CSV or a spreadsheet's cells, or returns the row of a quotation mark that is never closed. */
export function parseList(text: string): ParsedList | { unclosedQuote: number } {
  const { text: body, delimiter: statedDelimiter } = takeDelimiterLine(text.replace(/^\u{feff}/u, ''));
  const skipped = statedDelimiter ? 1 : 0;
  const { delimiter, rows, unclosedQuote } = statedDelimiter ? split(body, statedDelimiter) : chooseDelimiter(body);
  if (unclosedQuote !== null) return { unclosedQuote: unclosedQuote + 1 + skipped };
  const numbered = readOwn(rows)
    .map((cells, index) => ({ line: index + 1 + skipped, cells: cells.map(tidy) }))
    .filter(({ cells }) => cells.some((cell) => /[^\s;,]/.test(cell)));
  const heading = findHeading(numbered[0]?.cells ?? []);
  const columns = heading ?? guessColumns(numbered.map(({ cells }) => cells));
  const people = (heading ? numbered.slice(1) : numbered).map(({ line, cells }) => ({
    line,
    name: cells[columns.name] ?? '',
    role: cells[columns.role] ?? '',
    ...(columns.number >= 0 && { staffNumber: cells[columns.number] ?? '' }),
  }));
  return { people, delimiter, heading: heading !== null };
}

type Split = { delimiter: Delimiter; rows: string[][]; unclosedQuote: number | null };

const noQuotes = '\0';

function split(text: string, delimiter: Delimiter, quoteChar = '"'): Split {
  const { data, errors } = papaparse.parse<string[]>(text, { delimiter, quoteChar });
  const unclosed = errors.find(({ code }) => code === 'MissingQuotes');
  return { delimiter, rows: data, unclosedQuote: unclosed ? (unclosed.row ?? data.length - 1) : null };
}

// Excel can name the delimiter in a first line: `sep=;`.
function takeDelimiterLine(text: string): { text: string; delimiter?: Delimiter } {
  const [line, delimiter] = /^sep=([;,\t])\r?\n?/i.exec(text) ?? [];
  return line ? { text: text.slice(line.length), delimiter: delimiter as Delimiter } : { text };
}

// Chooses the delimiter with which most rows have the same number of cells, more than one. With an
// equal number of rows, a tab wins over a semicolon, and a semicolon over a comma, because a comma
// also precedes a degree in a name. An unclosed quotation mark may be part of a name: it counts as
// a plain character if all rows then have the same number of cells.
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
  return tried.reduce((best, other) => (other.score > best.score ? other : best));
}

function scoreOf(rows: string[][]): number {
  const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  const counts = new Map<number, number>();
  for (const { length } of filled) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  return Math.max(0, ...counts.values()) / Math.max(1, filled.length);
}

// The service's own CSV files have an apostrophe before a cell's first sign such as `=`
// (server/exports/csv.ts). It is removed only if no cell of the list has a bare sign.
function readOwn(rows: string[][]): string[][] {
  const isOwn = rows.flat().every((cell) => escapeFormulas(unescapeFormulas(cell)) === cell);
  return isOwn ? rows.map((cells) => cells.map(unescapeFormulas)) : rows;
}

// Line breaks in cells and non-breaking spaces from web pages become spaces.
const tidy = (cell: string) => cell.replace(/\s+/g, ' ').trim();

const isHeading = (column: keyof Columns, word: string) => headings[column].split(', ').includes(word);

function findHeading(cells: string[]): Columns | null {
  const words = cells.map((cell) =>
    cell
      .toLowerCase()
      .replace(/[^\p{L}\s]/gu, '')
      .trim(),
  );
  const name = words.findIndex((word) => isHeading('name', word));
  if (name < 0) return null;
  const find = (column: keyof Columns) => words.findIndex((word, index) => index !== name && isHeading(column, word));
  return { name, role: find('role'), number: find('number') };
}

// Without a heading the columns are name and role, perhaps after a column of running numbers.
function guessColumns(rows: string[][]): Columns {
  const numbered =
    rows.length > 0 && rows.every(([first = '', second]) => /^\d*\.?$/.test(first) && second !== undefined);
  return numbered ? { name: 1, role: 2, number: -1 } : { name: 0, role: 1, number: -1 };
}
