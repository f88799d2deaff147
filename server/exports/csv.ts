import papaparse from 'papaparse';
import { type Language, locales } from '#platform/language.ts';

export type CsvRow = (string | number | boolean | Date | null)[];

const pieceBytes = 64 * 1024;
const byteOrderMark = '\u{feff}';
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
  let piece = byteOrderMark + line(header);
  for await (const row of rows) {
    piece += line(row);
    if (piece.length < pieceBytes) continue;
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

// A spreadsheet may split a text here: at separators of files and at line breaks.
const separators = new Set(',;|');
const lineBreaks = new Set('\t\r\n\v\f\u0085\u2028\u2029');
// Full-width signs too, as spreadsheets read them.
const signs = new Set('=+-@＝＋－＠');
// A cell may begin after these. Any apostrophe makes a cell a text.
const passed = /[\s"“”']/u;
const mayNeedEscape = /[=+\-@＝＋－＠\t\r\n]/u;

/**
 * Makes a text safe for a cell of CSV (OWASP, CSV injection), whichever separator the spreadsheet uses. A cell could
 * begin at the start and behind each comma, semicolon, bar, tab and line break; blanks and quotation marks may follow.
 * There an apostrophe goes before `=`, `+`, `-`, `@`, a tab or a line break. `unescapeFormulas` gives the text back.
 */
export const escapeFormulas = (text: string): string =>
  mayNeedEscape.test(text) ? changeStarts(text, (before) => `${before}'`) : text;

export const unescapeFormulas = (text: string): string => changeStarts(text, (before) => before.replace(/'$/, ''));

// Changes the pieces of a text that end where a cell could begin.
function changeStarts(text: string, change: (before: string) => string): string {
  let [changed, copied] = ['', 0];
  forEachStart(text, (index) => {
    changed += change(text.slice(copied, index));
    copied = index;
  });
  return changed + text.slice(copied);
}

// Calls `visit` for each position where a sign, tab or line break could begin a cell. An apostrophe
// there changes no other position. Linear in the length of the text.
function forEachStart(text: string, visit: (index: number) => void): void {
  // `first`: only apostrophes since the start or a separator. `start`: only passed characters.
  let [first, start] = [true, true];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (lineBreaks.has(character)) {
      if (first) visit(index);
      [first, start] = [false, true];
    } else if (separators.has(character)) [first, start] = [true, true];
    else if (signs.has(character)) {
      if (start) visit(index);
      [first, start] = [false, false];
    } else if (character !== "'") {
      first = false;
      start &&= passed.test(character);
    }
  }
}
