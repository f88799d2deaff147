import { privateJson } from '#app/responses/private-json.ts';
import { authenticateSession } from '#server/accounts/authenticate.ts';
import { listAlarms } from '#server/keys/alarms.ts';

/** Answers the active alarms of the signed-in owner. Each open page asks every few seconds. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  return session?.owner ? privateJson({ alarms: await listAlarms(session.owner) }) : privateJson({ alarms: [] }, 401);
}
