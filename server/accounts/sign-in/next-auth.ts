import { headers } from 'next/headers';
import type { AuthOptions, LoggerInstance } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import { authSecret } from '#platform/config/identity.ts';
import type { OidcProvider } from '#platform/config/oidc-providers.ts';
import { env } from '#platform/config/settings.ts';
import { logRepeats } from '#platform/log/log.ts';
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
import { asIdentity, type Claims, findProvider, type Identity } from '#server/accounts/sign-in/identities.ts';
import { decodeKnownBrowser } from '#server/accounts/sign-in/known-browser.ts';
import { findOnlyIssuer } from '#server/accounts/sign-in/only-provider.ts';
import { authenticatePasskey } from '#server/accounts/sign-in/passkeys.ts';
import { currentAddress, openBrowserSession } from '#server/accounts/sign-in/require.ts';
import { authenticatePassword, type Busy, busySeconds } from '#server/accounts/sign-in/sign-in.ts';
import type { AuthenticatedAccount } from '#server/principals.ts';

/** Why next-auth signed nobody in. It knows only that, so the reason goes past it. */
export type Refusal = 'wrong-password' | 'wrong-passkey' | 'provider-only' | SlowedDown | Busy;

/**
 * The options of next-auth, for one request. It sets and removes the session cookie, whose content
 * names our row of the session. `refuse` gets the reason of a refused sign-in. `identify` gets whom a
 * provider identified; next-auth then ends without a session.
 */
export function authOptions(
  refuse: (refusal: Refusal) => void,
  identify: (identity: Identity | null) => void = () => {},
): AuthOptions {
  const cookie = (name: string) => ({ name: hostCookieName(`next-auth.${name}`), options: cookieOptions() });
  return {
    secret: authSecret(),
    session: { strategy: 'jwt', maxAge: sessionMaxAgeSeconds },
    cookies: {
      sessionToken: { name: sessionCookieName(), options: cookieOptions() },
      callbackUrl: cookie('callback-url'),
      csrfToken: cookie('csrf-token'),
      state: cookie('state'),
      nonce: cookie('nonce'),
      pkceCodeVerifier: cookie('pkce'),
    },
    jwt: { decode: async ({ token }) => (token ? decodeSessionToken(token) : null) },
    useSecureCookies: isSecureCookie(),
    pages: { signIn: '/login', error: '/login' },
    logger,
    providers: [
      ...env().OIDC_PROVIDERS.map(asOAuthConfig),
      Credentials({
        credentials: { username: {}, password: {}, proof: {} },
        authorize: (typed) => authorize(signIn(typed ?? {}), refuse),
      }),
      Credentials({
        id: 'passkey',
        credentials: { answer: {} },
        authorize: (sent) => authorize(signInWithPasskey(sent?.answer ?? ''), refuse),
      }),
    ],
    callbacks: {
      signIn: ({ account, profile }) => {
        const provider = account?.type === 'oauth' ? findProvider(account.provider) : undefined;
        if (!provider) return true;
        identify(asIdentity(profile as Claims, provider));
        return '/';
      },
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

// next-auth checks state, nonce, PKCE, and the signature, issuer, audience and times of the ID token.
const asOAuthConfig = ({ id, issuer, clientId, clientSecret, label }: OidcProvider): OAuthConfig<Claims> => ({
  ...{ id, name: label, type: 'oauth', idToken: true, checks: ['pkce', 'state', 'nonce'], clientId, clientSecret },
  wellKnown: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  authorization: { params: { scope: 'openid profile email' } },
  profile: ({ sub }) => ({ id: String(sub) }),
});

// Without what a provider answered: it may contain tokens.
const logger: Partial<LoggerInstance> = {
  error: (code, metadata) => {
    const error = metadata instanceof Error ? metadata : (metadata as { error?: Error }).error;
    logRepeats('warn', { code, reason: error?.message }, {}, 'next-auth refused a sign-in');
  },
  warn: () => {},
  debug: () => {},
};
async function authorize(signedIn: ReturnType<typeof signIn>, refuse: (refusal: Refusal) => void) {
  const outcome = await signedIn.catch((error: unknown): Busy => {
    logRepeats('error', {}, { err: error }, 'a sign-in could not be checked');
    return { busySeconds };
  });
  if (typeof outcome === 'object' && 'id' in outcome) return outcome;
  refuse(outcome);
  return null;
}

type Typed = Partial<Record<'username' | 'password' | 'proof', string>>;

async function signIn({ username = '', password = '', proof }: Typed) {
  const browser = decodeKnownBrowser((await headers()).get('cookie'));
  return openFor(await authenticatePassword(username.trim(), password, await currentAddress(), browser, proof));
}

const signInWithPasskey = async (answer: string) => openFor(await authenticatePasskey(answer, await currentAddress()));

async function openFor(account: AuthenticatedAccount | Refusal) {
  if (typeof account === 'string' || !('accountId' in account)) return account;
  if ((await findOnlyIssuer(account)) !== null) return 'provider-only';
  return { id: String(account.accountId), ...(await openBrowserSession(account)) };
}
