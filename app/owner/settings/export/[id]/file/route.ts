import { Readable } from 'node:stream';
import { currentSession } from '#server/accounts/require.ts';
import { openExport } from '#server/exports/exports.ts';

/** The zip of a finished copy of the signed-in owner's company, sent as it is read. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const owner = (await currentSession())?.owner;
  if (!owner) return new Response(null, { status: 401 });
  const copy = await openExport(owner, (await params).id);
  if (!copy) return new Response(null, { status: 404 });
  const stream = Readable.toWeb(Readable.from(copy.pieces, { objectMode: false })) as ReadableStream;
  return new Response(stream, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Length': String(copy.bytes),
      'Content-Disposition': `attachment; filename="data-${copy.createdAt.toISOString().slice(0, 10)}.zip"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
