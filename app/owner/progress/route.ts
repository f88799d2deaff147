import { privateJson } from '#app/responses/responses.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { ownerOf } from '#server/accounts/sign-in/require.ts';
import { findProgress } from '#server/companies/overview.ts';

/** Answers the progress of the first steps. The home page asks until all are done. */
export async function GET(request: Request): Promise<Response> {
  const owner = ownerOf(await authenticateSession(request.headers.get('cookie')), '/owner/progress');
  return owner ? privateJson(await findProgress(owner)) : privateJson(null, 401);
}
