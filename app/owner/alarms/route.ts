import { privateJson } from '#app/responses/responses.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { findGuessing } from '#server/accounts/sign-in/guesses.ts';
import { listAlarms } from '#server/keys/alarms.ts';

/** Answers the active alarms of the signed-in owner, and whether someone guesses passwords. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.owner) return privateJson({ alarms: [], guessing: null }, 401);
  const [alarms, guessing] = await Promise.all([listAlarms(session.owner), findGuessing(session.owner)]);
  return privateJson({ alarms, guessing });
}
