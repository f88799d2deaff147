import { cookies, headers } from 'next/headers';
import { z } from 'zod';
import { signedInAddress } from '#app/login/signed-in-address.ts';
import { logRepeats } from '#platform/log/log.ts';
import { decodeKnownBrowser, provedAccount } from '#server/accounts/sign-in/cookies.ts';
import type { SlowedDown } from '#server/accounts/sign-in/limits.ts';
import { findStepToProvider } from '#server/accounts/sign-in/only-provider.ts';
import { authenticatePasskey } from '#server/accounts/sign-in/passkeys.ts';
import { currentAddress, isForm, readFields, startSession } from '#server/accounts/sign-in/require.ts';
import { authenticatePassword, type Busy, busySeconds } from '#server/accounts/sign-in/sign-in.ts';
import { asReturnPath } from '#server/notifications/field-rules.ts';
import type { AuthenticatedAccount } from '#server/principals.ts';

const Fields = z.object({
  username: z.string().trim().default(''),
  password: z.string().default(''),
  answer: z.string().optional(),
  callbackUrl: z.string().default('/'),
});

const statuses = { 'signed-in': 204, 'wrong-password': 401, 'wrong-passkey': 401 };

/**
 * Signs in with `{ username, password }`, or with a passkey's `{ answer }`, and sets the session cookie.
 * The answer to JSON is 204, 401, 403 with the `location` at which a person goes on whose company allows
 * one provider only, or 429 and 503 with `Retry-After`. A form is redirected to the sign-in page, which
 * leads on to its `callbackUrl` or shows the problem.
 */
export async function POST(request: Request): Promise<Response> {
  const fields = await readFields(request, Fields);
  if (fields instanceof Response) return fields;
  const outcome = await signIn(fields).catch((error: unknown) => {
    logRepeats('error', {}, { err: error }, 'a sign-in could not be checked');
    return { busySeconds };
  });
  if (isForm(request)) return new Response(null, { status: 303, headers: { Location: leadOn(outcome, fields) } });
  if (typeof outcome === 'string') return new Response(null, { status: statuses[outcome] });
  if ('location' in outcome) return Response.json(outcome, { status: 403 });
  const status = 'waitSeconds' in outcome ? 429 : 503;
  return new Response(null, { status, headers: { 'Retry-After': secondsOf(outcome) } });
}

type Fields = z.infer<typeof Fields>;
type Outcome = keyof typeof statuses | SlowedDown | Busy | { location: string };

// Where a form goes on. The address never contains what was typed.
function leadOn(outcome: Outcome, { callbackUrl }: Fields): string {
  const returnTo = asReturnPath(callbackUrl, '/');
  if (outcome === 'signed-in') return signedInAddress(returnTo);
  if (typeof outcome === 'string') return loginAddress({ problem: outcome, returnTo });
  return 'location' in outcome ? outcome.location : loginAddress({ problem: secondsOf(outcome), returnTo });
}

const loginAddress = (query: Record<string, string>) => `/login?${new URLSearchParams(query)}`;

const secondsOf = (outcome: SlowedDown | Busy): string =>
  String('waitSeconds' in outcome ? outcome.waitSeconds : outcome.busySeconds);

async function signIn({ username, password, answer, callbackUrl }: Fields): Promise<Outcome> {
  const [address, cookieHeader] = [await currentAddress(), (await headers()).get('cookie')];
  const browser = await decodeKnownBrowser(cookieHeader);
  const account =
    answer === undefined
      ? await authenticatePassword(username, password, address, browser)
      : await authenticatePasskey(answer, address, browser);
  if (typeof account === 'string') return account;
  if ('onlyProviderOf' in account)
    return { location: await leadToOnlyProvider(account.onlyProviderOf, asReturnPath(callbackUrl, '/')) };
  if (!('accountId' in account)) return account;
  await startSession(account);
  return 'signed-in';
}

// A password or passkey opens no session then. Who has no identity at the provider may connect one.
async function leadToOnlyProvider(account: AuthenticatedAccount, returnTo: string): Promise<string> {
  const step = await findStepToProvider(account);
  if (step.step !== 'connect') return `/login/provider?${new URLSearchParams({ ...step, returnTo })}`;
  const { companyId, accountId, sessionVersion } = account;
  const { provider } = step;
  (await cookies()).set(await provedAccount.keep({ companyId, accountId, sessionVersion, provider }));
  return `/login/provider?${new URLSearchParams({ returnTo })}`;
}
