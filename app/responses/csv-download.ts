import { Readable } from 'node:stream';
import { currentLanguage } from '#app/language/i18n.ts';
import { refuseDownload } from '#app/responses/responses.ts';
import { type CsvRow, writeCsv } from '#server/exports/csv.ts';
import type { Manager } from '#server/principals.ts';

/** A column of a CSV file: its heading and the value that it has for an item. */
export type CsvColumn<Item> = { heading: string; cellOf: (item: Item) => CsvRow[number] };

/**
 * Makes a response that downloads one CSV row per item, in the language of the request, unless the
 * person downloads too often. Streams: items are read while rows are sent.
 * @param name start of the file name; the date follows: `audit-2026-11-21.csv`
 */
export async function csvDownload<Item>(
  manager: Manager,
  name: string,
  columns: CsvColumn<Item>[],
  items: AsyncIterable<Item> | Iterable<Item>,
): Promise<Response> {
  const refusal = await refuseDownload(manager);
  if (refusal) return refusal;
  const header = columns.map(({ heading }) => heading);
  const lines = writeCsv(header, asRows(columns, items), await currentLanguage());
  const text = Readable.from(lines, { objectMode: false });
  return new Response(Readable.toWeb(text) as ReadableStream, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}-${new Date().toISOString().slice(0, 10)}.csv"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

async function* asRows<Item>(
  columns: CsvColumn<Item>[],
  items: AsyncIterable<Item> | Iterable<Item>,
): AsyncGenerator<CsvRow> {
  for await (const item of items) yield columns.map(({ cellOf }) => cellOf(item));
}
