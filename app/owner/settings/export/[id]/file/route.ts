import { Readable } from 'node:stream';
import { refuseDownload } from '#app/responses/responses.ts';
import { currentSession, ownerOf } from '#server/accounts/sign-in/require.ts';
import { openExport } from '#server/exports/exports.ts';

/** Streams the zip file of a finished export of the signed-in owner's company. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const owner = ownerOf(await currentSession(), '/owner/settings');
  if (!owner) return new Response(null, { status: 401 });
  const exported = await openExport(owner, (await params).id);
  if (!exported) return new Response(null, { status: 404 });
  const refusal = await refuseDownload(owner);
  if (refusal) return refusal;
  const stream = Readable.toWeb(Readable.from(exported.pieces, { objectMode: false })) as ReadableStream;
  return new Response(stream, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Length': String(exported.bytes),
      'Content-Disposition': `attachment; filename="data-${exported.createdAt.toISOString().slice(0, 10)}.zip"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
