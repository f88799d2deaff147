import { privateJson } from '#app/responses/responses.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { countUnreadByKind } from '#server/inbox/unread.ts';

/** Returns the unread counts of the signed-in employee by kind as JSON. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.employee) return privateJson({ ok: false }, 401);
  return privateJson({ kinds: await countUnreadByKind(session.employee) });
}
