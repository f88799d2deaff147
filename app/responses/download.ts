import { Readable } from 'node:stream';
import { headers } from 'next/headers';
import { getFormatter, getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import { asNamedWait } from '#app/ui/text/times.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { countUse, subjectsOf } from '#server/accounts/sign-in/limits.ts';
import { type CsvRow, writeCsv } from '#server/exports/csv.ts';
import type { Manager } from '#server/principals.ts';

type Download = { name: string; type: string; bytes?: number; pieces: AsyncIterable<string | Buffer> };

/**
 * Makes a response that downloads a file, or 429 with the time of the next one when the person
 * downloads too often. The pieces are read while the file is sent. The connection ends before the
 * first piece for which the session, or the right that it began with, is over.
 */
export async function download(manager: Manager, { name, type, bytes, pieces }: Download): Promise<Response> {
  const noStore = { 'Cache-Control': 'private, no-store' };
  const waitSeconds = await countUse('download', subjectsOf(manager));
  if (waitSeconds > 0) {
    const [t, format] = await Promise.all([getTranslations('form'), getFormatter()]);
    const text = t('wait', { when: format.relativeTime(asNamedWait(waitSeconds), 0) });
    return new Response(text, { status: 429, headers: { 'Retry-After': String(waitSeconds), ...noStore } });
  }
  const allowed = whileAllowed(manager, (await headers()).get('cookie'), pieces);
  return new Response(Readable.toWeb(Readable.from(allowed, { objectMode: false })) as ReadableStream, {
    headers: {
      'Content-Type': type,
      ...(bytes !== undefined && { 'Content-Length': String(bytes) }),
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Content-Type-Options': 'nosniff',
      ...noStore,
    },
  });
}

async function* whileAllowed<Piece>({ kind }: Manager, cookie: string | null, pieces: AsyncIterable<Piece>) {
  for await (const piece of pieces) {
    const session = await authenticateSession(cookie);
    // Next ends the connection, and logs nothing for an error of this name.
    if (!session?.[kind]) throw new DOMException('the session of a download ended', 'AbortError');
    yield piece;
  }
}

type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

/** A column of a CSV file: its heading and the value that it has for an item. */
export type CsvColumn<Item> = { heading: string; cellOf: (item: Item) => CsvRow[number] };

/** Makes a `download` of CSV with one row per item. The date follows the `name`: `audit-2026-11-21.csv`. */
export async function csvDownload<Item>(
  manager: Manager,
  name: string,
  columns: CsvColumn<Item>[],
  items: Items<Item>,
): Promise<Response> {
  const header = columns.map(({ heading }) => heading);
  return download(manager, {
    name: `${name}-${new Date().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    pieces: writeCsv(header, asRows(columns, items), await currentLanguage()),
  });
}

async function* asRows<Item>(columns: CsvColumn<Item>[], items: Items<Item>): AsyncGenerator<CsvRow> {
  for await (const item of items) yield columns.map(({ cellOf }) => cellOf(item));
}
