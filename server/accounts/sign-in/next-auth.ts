import { cookies } from 'next/headers';
import { NextRequest } from 'next/server';
import NextAuth, { type LoggerInstance } from 'next-auth';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import { authSecret } from '#platform/config/identity.ts';
import type { OidcProvider } from '#platform/config/oidc-providers.ts';
import { logRepeats } from '#platform/log/log.ts';
import { cookieOptions, hostCookieName, readCookie } from '#server/accounts/sessions/cookie.ts';
import { asIdentity, type Claims, type Identity } from '#server/accounts/sign-in/identities.ts';

type Handler = (request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }) => Promise<Response>;

/**
 * Lets next-auth make the address at which a provider signs a person in, with the parameters `query`.
 * The browser needs the `cookies` on its way back. Null when the provider cannot be reached.
 */
export async function leadToProvider(
  provider: OidcProvider,
  request: NextRequest,
  query: string,
): Promise<{ address: string; cookies: string[] } | null> {
  const ask = (init: ConstructorParameters<typeof NextRequest>[1], ...nextauth: string[]) =>
    nextAuth(provider)(new NextRequest(request.nextUrl.origin + request.nextUrl.pathname + query, init), {
      params: Promise.resolve({ nextauth }),
    });
  // next-auth wants a token of its own from a form, whose origin its caller has checked already.
  const issued = await ask({}, 'csrf');
  const name = hostCookieName('next-auth.csrf-token');
  const token = readCookie(issued.headers.getSetCookie().join(';'), name);
  if (token) (await cookies()).set({ name, value: token, ...cookieOptions() });
  const body = JSON.stringify({ ...(await issued.json()), json: 'true' });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await ask({ method: 'POST', headers, body }, 'signin', provider.id);
  const { url = '' }: { url?: string } = await answer.json();
  // next-auth answers with an address of ours when it cannot reach the provider.
  const isThere = new URL(url, 'http://x').searchParams.has('state');
  return isThere ? { address: url, cookies: answer.headers.getSetCookie() } : null;
}

/** Whom a provider identifies in the request that comes back from it, or null when next-auth refuses it. */
export async function identify(provider: OidcProvider, request: NextRequest): Promise<Identity | null> {
  let identity: Identity | null = null;
  const handler = nextAuth(provider, (claims) => {
    identity = asIdentity(claims, provider);
  });
  await handler(request, { params: Promise.resolve({ nextauth: ['callback', provider.id] }) });
  return identity;
}

// next-auth opens no session: it ends after `identified`.
function nextAuth(provider: OidcProvider, identified: (claims: Claims) => void = () => {}): Handler {
  const cookie = (name: string) => ({ name: hostCookieName(`next-auth.${name}`), options: cookieOptions() });
  return NextAuth({
    secret: authSecret(),
    cookies: {
      callbackUrl: cookie('callback-url'),
      csrfToken: cookie('csrf-token'),
      state: cookie('state'),
      nonce: cookie('nonce'),
      pkceCodeVerifier: cookie('pkce'),
    },
    logger,
    providers: [asOAuthConfig(provider)],
    callbacks: {
      signIn: ({ profile }) => {
        identified(profile as Claims);
        return '/';
      },
    },
  });
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
