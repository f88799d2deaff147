import { Readable } from 'node:stream';
import { type CsvRow, writeCsv } from '#server/exports/csv.ts';

/**
 * A table for download under a name such as `audit-2026-11-21.csv`; it is written while it is read.
 */
export function csvDownload(
  name: string,
  header: string[],
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  language: 'id' | 'en',
): Response {
  const text = Readable.from(writeCsv(header, rows, language), { objectMode: false });
  return new Response(Readable.toWeb(text) as ReadableStream, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}-${new Date().toISOString().slice(0, 10)}.csv"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
