import { asExportState } from '#app/owner/settings/export/export-state.ts';
import { getExportTexts } from '#app/owner/settings/export/export-texts.ts';
import { privateJson } from '#app/responses/private-json.ts';
import { currentSession } from '#server/accounts/require.ts';
import { findExport } from '#server/exports/exports.ts';

/** Answers the state of an export of the owner's company. Restarts one whose process ended. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const owner = (await currentSession())?.owner;
  if (!owner) return privateJson({ ok: false }, 401);
  const exported = await findExport(owner, (await params).id, await getExportTexts(owner));
  return exported ? privateJson(asExportState(exported)) : privateJson({ ok: false }, 404);
}
