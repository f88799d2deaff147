import { privateJson } from '#app/responses/responses.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { findGuessing } from '#server/accounts/sign-in/failed-sign-ins.ts';
import { ownerOf } from '#server/accounts/sign-in/require.ts';
import { listAlarms } from '#server/keys/alarms.ts';

/** Answers the active alarms of the signed-in owner, and whether someone guesses passwords. */
export async function GET(request: Request): Promise<Response> {
  const owner = ownerOf(await authenticateSession(request.headers.get('cookie')), '/owner/alarms');
  if (!owner) return privateJson({ alarms: [], guessing: null }, 401);
  const [alarms, guessing] = await Promise.all([listAlarms(owner), findGuessing(owner)]);
  return privateJson({ alarms, guessing });
}
