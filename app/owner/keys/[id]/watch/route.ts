import { getRejectedRequestTexts } from '#app/owner/audit/refused/rejected-request-texts.ts';
import { privateJson } from '#app/responses/responses.ts';
import { IdText } from '#app/ui/lists/list-query.ts';
import { currentSession, ownerOf } from '#server/accounts/sign-in/require.ts';
import { watchKey } from '#server/keys/key-overview.ts';

/** Answers the latest activity of a key of the signed-in owner. The open page asks every second. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const owner = ownerOf(await currentSession(), '/owner/keys');
  if (!owner) return privateJson({ ok: false }, 401);
  const id = IdText.safeParse((await params).id).data;
  const watch = id === undefined ? null : await watchKey(owner, id);
  if (!watch) return privateJson({ ok: false }, 404);
  const textOf = await getRejectedRequestTexts();
  return privateJson({ ...watch, refusals: watch.refusals.map((refused) => ({ ...refused, ...textOf(refused) })) });
}
