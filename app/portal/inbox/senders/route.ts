import { asSenderText } from '#app/portal/inbox/inbox-address.ts';
import { privateJson } from '#app/responses/responses.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { listSenders } from '#server/inbox/inbox.ts';

/** Returns the senders of what the signed-in employee has, by name, as JSON. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.employee) return privateJson({ ok: false }, 401);
  const senders = await listSenders(session.employee);
  return privateJson({ senders: senders.map(({ id, ...named }) => ({ ...named, id: asSenderText(id) })) });
}
