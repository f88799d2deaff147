import { privateJson } from '#app/responses/responses.ts';
import { done, refused } from '#app/ui/forms/fields.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { isOwnRequest } from '#server/accounts/sign-in/require.ts';
import { maxLogoBytes, setLogo } from '#server/companies/logo.ts';

/**
 * Stores a new logo, whose PNG is the body. The response is a `Result`. No action: the session is
 * checked before the body is read.
 */
export async function POST(request: Request): Promise<Response> {
  if (!(await isOwnRequest())) return privateJson(refused({ form: 'session-ended' }), 403);
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.owner) return privateJson(refused({ form: 'session-ended' }), 401);
  // `request.arrayBuffer()` reads a body of any size into memory.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > maxLogoBytes || request.headers.has('transfer-encoding'))
    return privateJson(refused({ form: 'too-large' }), 413);
  const outcome = await setLogo(session.owner, Buffer.from(await request.arrayBuffer()));
  if (outcome === 'not-a-png' || outcome === 'too-many-pixels') return privateJson(refused({ form: outcome }), 400);
  return privateJson(done(outcome));
}
