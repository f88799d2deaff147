import { headers } from 'next/headers';
import type { AuthOptions } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { authSecret } from '#platform/config/identity.ts';
import { logRepeats } from '#platform/log/repeats.ts';
import {
  asSessionClaims,
  cookieOptions,
  decodeSessionToken,
  hostCookieName,
  isSecureCookie,
  type SessionClaims,
  sessionCookieName,
} from '#server/accounts/sessions/cookie.ts';
import { endSession, sessionMaxAgeSeconds } from '#server/accounts/sessions/sessions.ts';
import type { SlowedDown } from '#server/accounts/sign-in/attempts.ts';
import { decodeKnownBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { currentAddress, openBrowserSession } from '#server/accounts/sign-in/require.ts';
import { authenticatePassword, type Busy, busySeconds } from '#server/accounts/sign-in/sign-in.ts';

/** Why next-auth signed nobody in. It knows only that, so the reason goes past it. */
export type Refusal = 'wrong-password' | SlowedDown | Busy;

/**
 * The options of next-auth, for one request. It sets and removes the session cookie, whose content
 * names our row of the session. `refuse` gets the reason of a refused sign-in.
 */
export function authOptions(refuse: (refusal: Refusal) => void): AuthOptions {
  return {
    secret: authSecret(),
    session: { strategy: 'jwt', maxAge: sessionMaxAgeSeconds },
    cookies: {
      sessionToken: { name: sessionCookieName(), options: cookieOptions() },
      callbackUrl: { name: hostCookieName('next-auth.callback-url'), options: cookieOptions() },
      csrfToken: { name: hostCookieName('next-auth.csrf-token'), options: cookieOptions() },
    },
    jwt: { decode: async ({ token }) => (token ? decodeSessionToken(token) : null) },
    useSecureCookies: isSecureCookie(),
    pages: { signIn: '/login', error: '/login' },
    // Each provider ends with `openBrowserSession` for the account that it found.
    providers: [
      Credentials({
        credentials: { username: {}, password: {}, proof: {} },
        authorize: async (typed) => {
          const outcome = await signIn(typed ?? {}).catch((error: unknown): Busy => {
            logRepeats('error', {}, { err: error }, 'a sign-in could not be checked');
            return { busySeconds };
          });
          if (typeof outcome === 'object' && 'id' in outcome) return outcome;
          refuse(outcome);
          return null;
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => asSessionClaims(user as unknown as SessionClaims | undefined) ?? token,
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        const claims = asSessionClaims(token);
        if (claims) await endSession(claims, claims.sessionId);
      },
    },
  };
}

type Typed = Partial<Record<'username' | 'password' | 'proof', string>>;

async function signIn({ username = '', password = '', proof }: Typed) {
  const browser = decodeKnownBrowser((await headers()).get('cookie'));
  const account = await authenticatePassword(username.trim(), password, await currentAddress(), browser, proof);
  if (account === 'wrong-password' || !('accountId' in account)) return account;
  return { id: String(account.accountId), ...(await openBrowserSession(account)) };
}
