import { privateJson } from '#app/responses/responses.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { findProgress } from '#server/companies/overview.ts';

/** Answers the progress of the first steps. The home page asks until all are done. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  return session?.owner ? privateJson(await findProgress(session.owner)) : privateJson(null, 401);
}
