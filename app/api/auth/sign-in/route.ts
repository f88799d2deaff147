import { z } from 'zod';
import { maxSignInBodyBytes } from '#server/accounts/limits.ts';
import { currentAddress, isOwnRequest, startSession } from '#server/accounts/require.ts';
import { authenticatePassword } from '#server/accounts/sign-in.ts';

const Credentials = z.object({ username: z.string(), password: z.string() });

/**
 * Signs in with `{ username, password }` as JSON and sets the session cookie. The body of the
 * response is a `SignInOutcome` (`app/login/sign-in.ts`).
 */
export async function POST(request: Request): Promise<Response> {
  // `request.json()` reads a body of any size into memory.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > maxSignInBodyBytes || request.headers.has('transfer-encoding'))
    return new Response(null, { status: 413 });
  if (!(await isOwnRequest())) return new Response(null, { status: 403 });
  const credentials = Credentials.safeParse(await request.json().catch(() => null));
  if (!credentials.success) return new Response(null, { status: 400 });
  const { username, password } = credentials.data;
  const account = await authenticatePassword(username.trim(), password, await currentAddress());
  if (account === 'wrong-password') return Response.json(account, { status: 401 });
  if ('waitSeconds' in account) return Response.json(account, { status: 429 });
  await startSession(account);
  return Response.json('signed-in');
}
