import { asExportState, getExportTexts } from '#app/owner/settings/export-state.ts';
import { privateJson } from '#app/responses/responses.ts';
import { currentSession, ownerOf } from '#server/accounts/sign-in/require.ts';
import { findExport } from '#server/exports/exports.ts';

/** Answers the state of an export of the owner's company. Restarts one whose process ended. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const owner = ownerOf(await currentSession(), '/owner/settings');
  if (!owner) return privateJson({ ok: false }, 401);
  const exported = await findExport(owner, (await params).id, await getExportTexts(owner));
  return exported ? privateJson(asExportState(exported)) : privateJson({ ok: false }, 404);
}
