import { headers } from 'next/headers';
import { z } from 'zod';
import { signedInAddress } from '#app/login/signed-in-address.ts';
import { logRepeats } from '#platform/log/log.ts';
import { decodeKnownBrowser } from '#server/accounts/sign-in/known-browser.ts';
import type { SlowedDown } from '#server/accounts/sign-in/limits.ts';
import { authenticatePasskey } from '#server/accounts/sign-in/passkeys.ts';
import { currentAddress, isForm, readFields, startSession } from '#server/accounts/sign-in/require.ts';
import { authenticatePassword, type Busy, busySeconds } from '#server/accounts/sign-in/sign-in.ts';
import { asReturnPath } from '#server/notifications/field-rules.ts';

const Fields = z.object({
  username: z.string().trim().default(''),
  password: z.string().default(''),
  answer: z.string().optional(),
  callbackUrl: z.string().default('/'),
});

const statuses = { 'signed-in': 204, 'wrong-password': 401, 'wrong-passkey': 401, 'provider-only': 403 };

/**
 * Signs in with `{ username, password }`, or with a passkey's `{ answer }`, and sets the session cookie.
 * The answer to JSON is 204, 401, 403 (the company allows one provider only), or 429 and 503 with
 * `Retry-After`. A form is redirected to the sign-in page, which leads on to its `callbackUrl` or shows
 * the problem.
 */
export async function POST(request: Request): Promise<Response> {
  const fields = await readFields(request, Fields);
  if (fields instanceof Response) return fields;
  const outcome = await signIn(fields).catch((error: unknown) => {
    logRepeats('error', {}, { err: error }, 'a sign-in could not be checked');
    return { busySeconds };
  });
  if (isForm(request)) {
    const returnTo = asReturnPath(fields.callbackUrl, '/');
    // The address never contains what was typed.
    const problem = typeof outcome === 'string' ? outcome : secondsOf(outcome);
    const location =
      outcome === 'signed-in' ? signedInAddress(returnTo) : `/login?${new URLSearchParams({ problem, returnTo })}`;
    return new Response(null, { status: 303, headers: { Location: location } });
  }
  if (typeof outcome === 'string') return new Response(null, { status: statuses[outcome] });
  const status = 'waitSeconds' in outcome ? 429 : 503;
  return new Response(null, { status, headers: { 'Retry-After': secondsOf(outcome) } });
}

const secondsOf = (outcome: SlowedDown | Busy): string =>
  String('waitSeconds' in outcome ? outcome.waitSeconds : outcome.busySeconds);

async function signIn({ username, password, answer }: z.infer<typeof Fields>) {
  const [address, cookieHeader] = [await currentAddress(), (await headers()).get('cookie')];
  const browser = await decodeKnownBrowser(cookieHeader);
  const account =
    answer === undefined
      ? await authenticatePassword(username, password, address, browser)
      : await authenticatePasskey(answer, address, browser);
  if (typeof account === 'string' || !('accountId' in account)) return account;
  await startSession(account);
  return 'signed-in';
}
