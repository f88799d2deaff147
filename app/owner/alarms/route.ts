import { privateJson } from '#app/responses/private-json.ts';
import { authenticateSession } from '#server/accounts/authenticate.ts';
import { listAlarms } from '#server/keys/alarms.ts';

/** What the owner should look at now; asked every few seconds by every page of theirs. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  return session?.owner ? privateJson({ alarms: await listAlarms(session.owner) }) : privateJson({ alarms: [] }, 401);
}
