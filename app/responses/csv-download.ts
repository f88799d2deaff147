import { currentLanguage } from '#app/language/i18n.ts';
import { download } from '#app/responses/download.ts';
import { type CsvRow, writeCsv } from '#server/exports/csv.ts';
import type { Manager } from '#server/principals.ts';

/** A column of a CSV file: its heading and the value that it has for an item. */
export type CsvColumn<Item> = { heading: string; cellOf: (item: Item) => CsvRow[number] };

/**
 * Makes a `download` of CSV with one row per item, in the language of the request.
 * @param name start of the file name; the date follows: `audit-2026-11-21.csv`
 */
export async function csvDownload<Item>(
  manager: Manager,
  name: string,
  columns: CsvColumn<Item>[],
  items: AsyncIterable<Item> | Iterable<Item>,
): Promise<Response> {
  const header = columns.map(({ heading }) => heading);
  return download(manager, {
    name: `${name}-${new Date().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    pieces: writeCsv(header, asRows(columns, items), await currentLanguage()),
  });
}

async function* asRows<Item>(
  columns: CsvColumn<Item>[],
  items: AsyncIterable<Item> | Iterable<Item>,
): AsyncGenerator<CsvRow> {
  for await (const item of items) yield columns.map(({ cellOf }) => cellOf(item));
}
