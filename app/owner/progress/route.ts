import { privateJson } from '#app/responses/private-json.ts';
import { authenticateSession } from '#server/accounts/authenticate.ts';
import { findProgress } from '#server/companies/overview.ts';

/** How far the first steps are; asked by the home page while they are not all done. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  return session?.owner ? privateJson(await findProgress(session.owner)) : privateJson(null, 401);
}
