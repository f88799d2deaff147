import { headers } from 'next/headers';
import { z } from 'zod';
import { maxSignInBodyBytes } from '#server/accounts/sign-in/attempts.ts';
import { decodeKnownBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { currentAddress, isOwnRequest, startSession } from '#server/accounts/sign-in/require.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { answerSignIn, isForm } from '#server/accounts/sign-in/sign-in-answer.ts';

const Credentials = z.object({ username: z.string(), password: z.string(), returnTo: z.string().default('/') });

/**
 * Signs in with `{ username, password }` and sets the session cookie. The body of the response is a
 * `SignInOutcome` (`app/login/login-form.tsx`). As JSON from the page; as a form, which is answered by
 * redirects, from a browser in which the page's scripts do not run (yet).
 */
export async function POST(request: Request): Promise<Response> {
  // `request.text()` reads a body of any size into memory.
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > maxSignInBodyBytes || request.headers.has('transfer-encoding'))
    return new Response(null, { status: 413 });
  if (!(await isOwnRequest())) return new Response(null, { status: 403 });
  const credentials = Credentials.safeParse(await readCredentials(request));
  if (!credentials.success) return new Response(null, { status: 400 });
  const { username, password, returnTo } = credentials.data;
  const browser = decodeKnownBrowser((await headers()).get('cookie'));
  const outcome = await authenticatePassword(username.trim(), password, await currentAddress(), browser);
  const isSignedIn = outcome !== 'wrong-password' && 'accountId' in outcome;
  if (isSignedIn) await startSession(outcome);
  const answer = answerSignIn(
    isSignedIn ? 'signed-in' : outcome,
    isForm(request.headers.get('content-type')),
    returnTo,
  );
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}

async function readCredentials(request: Request): Promise<unknown> {
  const text = await request.text();
  if (isForm(request.headers.get('content-type'))) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
