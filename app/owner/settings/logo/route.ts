import { privateJson } from '#app/responses/responses.ts';
import { done, refused } from '#app/ui/forms/fields.ts';
import { refuseBeyond, unlessRightsEnded } from '#app/ui/forms/guarded-action.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { isOwnRequest, ownerOf } from '#server/accounts/sign-in/require.ts';
import { maxLogoBytes, setLogo } from '#server/companies/logo.ts';

/**
 * Stores a new logo, whose PNG is the body. The response is a `Result`. No action: the session is
 * checked before the body is read.
 */
export async function POST(request: Request): Promise<Response> {
  if (!(await isOwnRequest())) return privateJson(refused({ form: 'session-ended' }), 403);
  const session = await authenticateSession(request.headers.get('cookie'));
  const owner = ownerOf(session, '/owner/settings');
  if (!session || !owner) return privateJson(refused({ form: 'session-ended' }), 401);
  const beyond = await refuseBeyond(session, 'upload');
  if (beyond) return privateJson(beyond, 429);
  // `request.arrayBuffer()` reads a body of any size into memory.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > maxLogoBytes || request.headers.has('transfer-encoding'))
    return privateJson(refused({ form: 'too-large' }), 413);
  const file = Buffer.from(await request.arrayBuffer());
  const result = await unlessRightsEnded(session, '/owner/settings', async () => {
    const outcome = await setLogo(owner, file);
    return outcome === 'not-a-png' || outcome === 'too-many-pixels' ? refused({ form: outcome }) : done(outcome);
  });
  return privateJson(result, 'value' in result ? 200 : 400);
}
