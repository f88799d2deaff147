import { refusalWords } from '#app/owner/audit/refused/refusal-words.ts';
import { privateJson } from '#app/responses/private-json.ts';
import { authenticateSession } from '#server/accounts/authenticate.ts';
import { watchKey } from '#server/keys/key-watch.ts';

/** What a key of the signed-in owner is doing right now, refusals in words; asked every second while somebody looks. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.owner) return privateJson({ ok: false }, 401);
  const { id } = await params;
  const watch = /^\d{1,9}$/.test(id) ? await watchKey(session.owner, Number(id)) : null;
  if (!watch) return privateJson({ ok: false }, 404);
  const wordsOf = await refusalWords();
  const refusals = watch.refusals.map((refused) => {
    const { reason, cure } = wordsOf(refused);
    const { id, at, address, client, more } = refused;
    return { id, at, address, client, more, reason, cure };
  });
  return privateJson({ ...watch, refusals });
}
