import { privateJson } from '#app/responses/responses.ts';
import { type Result, refused } from '#app/ui/forms/fields.ts';
import { refuseBeyond, unlessRightsEnded } from '#app/ui/forms/guarded-action.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';
import { recordDenial } from '#server/accounts/sign-in/denials.ts';
import { isOwnRequest } from '#server/accounts/sign-in/require.ts';
import type { Session } from '#server/principals.ts';

/** Who may upload to `path`, and how many bytes. `tooLarge` names the problem of a larger body. */
type Upload<Who> = { path: string; guard: (session: Session) => Who | null; maxBytes: number; tooLarge?: string };

/** Responds to an upload with the `Result` of `act`. The session is checked before the body is read. */
export async function receiveUpload<Who, Value>(
  request: Request,
  { path, guard, maxBytes, tooLarge = 'too-large' }: Upload<Who>,
  act: (who: Who, file: Buffer) => Promise<Result<Value>>,
): Promise<Response> {
  if (!(await isOwnRequest())) return privateJson(refused({ form: 'session-ended' }), 403);
  const session = await authenticateSession(request.headers.get('cookie'));
  const who = session && guard(session);
  if (session && !who) recordDenial(session.account, path, 'no-rights');
  if (!session || !who) return privateJson(refused({ form: 'session-ended' }), 401);
  const beyond = await refuseBeyond(session, 'upload');
  if (beyond) return privateJson(beyond, 429);
  // `request.arrayBuffer()` reads a body of any size into memory.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > maxBytes || request.headers.has('transfer-encoding'))
    return privateJson(refused({ form: tooLarge }), 413);
  const file = Buffer.from(await request.arrayBuffer());
  const result = await unlessRightsEnded(session, path, () => act(who, file));
  return privateJson(result, 'value' in result ? 200 : 400);
}
