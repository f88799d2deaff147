import papaparse from 'papaparse';
import { type Language, locales } from '#platform/language.ts';

export type CsvRow = (string | number | boolean | Date | null)[];

// Quoted, although the file's own separator is another one.
const needsQuotes = /[,;\t"\r\n]|^\s|\s$/u;

/**
 * Writes a table as CSV in pieces: UTF-8 with a byte order mark, CRLF, times in ISO 8601 (UTC). In a language with
 * decimal commas, semicolons separate the fields, as Excel expects there. Texts are no formulas (`escapeFormulas`).
 */
export async function* writeCsv(
  header: string[],
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  language: Language,
): AsyncGenerator<string> {
  const options = {
    delimiter: (0.1).toLocaleString(locales[language]) === '0,1' ? ';' : ',',
    quotes: (value: unknown) => typeof value === 'string' && needsQuotes.test(value),
  };
  const line = (row: CsvRow) => `${papaparse.unparse([row.map(asField)], options)}\r\n`;
  let piece = `\u{feff}${line(header)}`;
  for await (const row of rows) {
    piece += line(row);
    if (piece.length < 64 * 1024) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

// Numbers stay numbers: a minus before one is no formula.
function asField(value: CsvRow[number]): CsvRow[number] {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? escapeFormulas(value) : value;
}

// Where a cell can begin: at the start, and behind separators of files and line breaks. Blanks and quotation marks may
// follow, and apostrophes, of which any makes a cell a text. The signs of formulas are also full-width, as spreadsheets
// read them. A sign is looked for first, which keeps this linear in the length of the text.
const breaks = String.raw`\t\r\n\v\f\u0085\u2028\u2029`;
const signAtStart = String.raw`(?=[=+\-@＝＋－＠])(?<=(?:^|[,;|${breaks}])[\s"“”']*)`;
const breakAtStart = `(?=[${breaks}])(?<=(?:^|[,;|])'*)`;
const start = new RegExp(`${signAtStart}|${breakAtStart}`, 'g');

/**
 * Makes a text safe for a cell of CSV (OWASP, CSV injection), whatever the separator: an apostrophe goes before each
 * `=`, `+`, `-`, `@`, tab or line break with which a cell could begin. `unescapeFormulas` takes it back.
 */
export const escapeFormulas = (text: string): string => text.replace(start, "'");

const escaped = new RegExp(`'(?:${signAtStart}|${breakAtStart})`, 'g');

export const unescapeFormulas = (text: string): string => text.replace(escaped, '');
