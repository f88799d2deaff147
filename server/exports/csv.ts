import papaparse from 'papaparse';
import { escapeFormulas } from '#server/exports/formulas.ts';

/** One row of a table. */
export type CsvRow = (string | number | boolean | Date | null)[];

const pieceBytes = 64 * 1024;
const byteOrderMark = '\u{feff}';
// Quoted, although the file's own separator is another one.
const needsQuotes = /[,;\t"\r\n]|^\s|\s$/u;

/**
 * Writes a table as CSV in pieces, for any number of rows: UTF-8 with a byte order mark, and CRLF.
 * In Indonesian, semicolons separate the fields, as Excel expects there. Apostrophes before signs
 * keep texts from being formulas, whichever separator the spreadsheet uses. Times are ISO 8601 in
 * UTC.
 */
export async function* writeCsv(
  header: string[],
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  language: 'id' | 'en',
): AsyncGenerator<string> {
  const options = {
    delimiter: language === 'id' ? ';' : ',',
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
