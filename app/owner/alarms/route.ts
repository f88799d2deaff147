import { findActiveAlarms } from '#app/owner/alarms/active-alarms.ts';
import { privateJson } from '#app/responses/responses.ts';
import { currentSession, ownerOf } from '#server/accounts/sign-in/require.ts';

/** Answers the active alarms of the signed-in owner, and whether someone guesses passwords. */
export async function GET(): Promise<Response> {
  const owner = ownerOf(await currentSession(), '/owner/alarms');
  return owner ? privateJson(await findActiveAlarms(owner)) : privateJson({ alarms: [], guessing: null }, 401);
}
