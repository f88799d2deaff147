import type { AuthOptions } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { authSecret } from '#platform/config/identity.ts';
import { log } from '#platform/log/log.ts';
import { forwardedAddress } from '#platform/net/client-address.ts';
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
import { endSessionOfCookie, openSessionClaims } from '#server/accounts/sign-in/authenticate.ts';
import { decodeKnownBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';

type Typed = Partial<Record<'username' | 'password', string>>;
type RequestHeaders = Record<string, unknown> | undefined;

/**
 * The options of next-auth's own endpoints, for programs that sign in as next-auth documents. The
 * pages use `/api/auth/sign-in`, which also returns how long to wait. Both open sessions in the
 * same way, and their cookies are interchangeable.
 */
export function authOptions(): AuthOptions {
  return {
    secret: authSecret(),
    session: { strategy: 'jwt', maxAge: sessionMaxAgeSeconds },
    cookies: {
      sessionToken: { name: sessionCookieName(), options: cookieOptions() },
      callbackUrl: { name: hostCookieName('next-auth.callback-url'), options: cookieOptions() },
    },
    jwt: { decode: async ({ token }) => (token ? decodeSessionToken(token) : null) },
    useSecureCookies: isSecureCookie(),
    pages: { signIn: '/login', error: '/login' },
    providers: [
      Credentials({
        credentials: { username: {}, password: {} },
        authorize: (typed, { headers }) => authorize(typed ?? {}, headers),
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

// next-auth shows the message of an error in the browser, so the cause stays in the log.
async function authorize({ username = '', password = '' }: Typed, headers: RequestHeaders) {
  const header = (name: string) => (typeof headers?.[name] === 'string' ? headers[name] : null);
  const address = forwardedAddress(header('x-forwarded-for'));
  try {
    const account = await authenticatePassword(
      username.trim(),
      password,
      address,
      decodeKnownBrowser(header('cookie')),
    );
    if (account === 'wrong-password' || !('accountId' in account)) return null;
    await endSessionOfCookie(header('cookie'));
    const claims = await openSessionClaims(account, { address, client: header('user-agent') ?? '' });
    return { id: String(claims.accountId), ...claims };
  } catch (error) {
    log().error({ err: error }, 'a sign-in could not be checked');
    throw new Error('unavailable');
  }
}
