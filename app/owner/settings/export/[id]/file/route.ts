import { download } from '#app/responses/download.ts';
import { currentSession, ownerOf } from '#server/accounts/sign-in/require.ts';
import { openExport } from '#server/exports/exports.ts';

/** Streams the zip file of a finished export of the signed-in owner's company. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const owner = ownerOf(await currentSession(), '/owner/settings');
  if (!owner) return new Response(null, { status: 401 });
  const exported = await openExport(owner, (await params).id);
  if (!exported) return new Response(null, { status: 404 });
  const { createdAt, bytes, pieces } = exported;
  const name = `data-${createdAt.toISOString().slice(0, 10)}.zip`;
  return download(owner, { name, type: 'application/zip', bytes, pieces });
}
