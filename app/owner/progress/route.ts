import { privateJson } from '#app/responses/responses.ts';
import { currentSession, ownerOf } from '#server/accounts/sign-in/require.ts';
import { findProgress } from '#server/companies/overview.ts';

/** Answers the progress of the first steps. The home page asks until all are done. */
export async function GET(): Promise<Response> {
  const owner = ownerOf(await currentSession(), '/owner/progress');
  return owner ? privateJson(await findProgress(owner)) : privateJson(null, 401);
}
