import papaparse from 'papaparse';

/** One row of a table. */
export type CsvRow = (string | number | boolean | Date | null)[];

const pieceBytes = 64 * 1024;
const byteOrderMark = '\u{feff}';
// Also behind blanks and line breaks, and full width, as spreadsheets read it; the library's own
// rule ends at a line break.
const formula = /^\s*[=+\-@\t\r\n＝＋－＠]/u;

/**
 * Writes a table as CSV in pieces, for any number of rows: UTF-8 with a byte order mark, and CRLF.
 * In Indonesian, semicolons separate the fields, as Excel expects there. A text that a spreadsheet
 * would run as a formula gets an apostrophe first (OWASP, CSV injection). Times are ISO 8601 in
 * UTC.
 */
export async function* writeCsv(
  header: string[],
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  language: 'id' | 'en',
): AsyncGenerator<string> {
  const line = (row: CsvRow) =>
    `${papaparse.unparse([row.map(asField)], { delimiter: language === 'id' ? ';' : ',', escapeFormulae: formula })}\r\n`;
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
const asField = (value: CsvRow[number]) => (value instanceof Date ? value.toISOString() : value);
