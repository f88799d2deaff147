import { asExportState } from '#app/owner/settings/export/export-state.ts';
import { exportWords } from '#app/owner/settings/export/words.ts';
import { privateJson } from '#app/responses/private-json.ts';
import { currentSession } from '#server/accounts/require.ts';
import { findExport } from '#server/exports/exports.ts';

/** How far a copy of the signed-in owner's company is; whoever asks takes up one that nobody works on any more. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const owner = (await currentSession())?.owner;
  if (!owner) return privateJson({ ok: false }, 401);
  const copy = await findExport(owner, (await params).id, await exportWords(owner));
  return copy ? privateJson(asExportState(copy)) : privateJson({ ok: false }, 404);
}
