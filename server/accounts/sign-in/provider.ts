import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { Readable } from 'node:stream';
import * as jose from 'jose';
import * as oidc from 'openid-client';
import { AuthorizationResponseError } from 'openid-client';
import { z } from 'zod';
import type { OidcProvider } from '#platform/config/identity.ts';
import { env } from '#platform/config/settings.ts';
import { logRepeats } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import type { Identity, OidcFlow } from '#server/accounts/sign-in/cookies.ts';
import { asIdentity } from '#server/accounts/sign-in/identities.ts';
import { countUses } from '#server/accounts/sign-in/limits.ts';

// For each request. A sign-in makes four at most.
const waitSeconds = 3.5;
/** How far the clock of a provider may be from ours, in seconds. */
export const clockToleranceSeconds = 180;

/** The address to which a provider sends people back. It must be registered there. */
export const redirectAddressOf = ({ id }: Pick<OidcProvider, 'id'>) => `${env().APP_URL}/api/auth/callback/${id}`;

/** The address to which a provider posts that somebody signed out there (back-channel logout). */
export const logoutAddressOf = ({ id }: Pick<OidcProvider, 'id'>) => `${env().APP_URL}/api/auth/logout/${id}`;

// The provider's metadata contain another issuer than the settings.
class OtherIssuer extends Error {}

/** Reads the metadata of a provider. Throws when it is out of reach or is not what the settings say. */
export async function discover(provider: OidcProvider): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  // What the metadata do not say is client_secret_basic (OpenID Connect Discovery 1.0).
  const authenticate: oidc.ClientAuth = (server, ...rest) => {
    const isBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
    return (isBasic ? oidc.ClientSecretBasic : oidc.ClientSecretPost)(clientSecret)(server, ...rest);
  };
  const tolerance = { [oidc.clockTolerance]: clockToleranceSeconds };
  const configuration = await oidc.discovery(new URL(issuer), clientId, tolerance, authenticate, {
    timeout: waitSeconds,
    // The first checks the signature of ID tokens.
    execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [])],
    [oidc.customFetch]: fetchFor(provider),
  });
  const statedIssuer = configuration.serverMetadata().issuer;
  if (statedIssuer !== issuer) throw new OtherIssuer(statedIssuer);
  return configuration;
}

/** The `fetch` that trusts the certificates of a provider. */
export const fetchFor = ({ ca }: Pick<OidcProvider, 'ca'>): oidc.CustomFetch =>
  ca ? fetchWith(ca) : (address, options) => fetch(address, options as RequestInit);

// Node's fetch takes no certificates for one request.
const fetchWith =
  (ca: string): oidc.CustomFetch =>
  async (address, { method, headers, body, signal }) => {
    const outgoing = request(address, { method, headers, signal, ca: readFileSync(ca) });
    outgoing.on('error', () => {}).end(body?.toString());
    const [received] = (await once(outgoing, 'response')) as [IncomingMessage];
    return new Response(Readable.toWeb(received) as ReadableStream, {
      status: received.statusCode ?? 0,
      headers: received.headers as Record<string, string>,
    });
  };

// They publish no list of prompts, but know this one (their documentation).
const choosesAccount = ['https://accounts.google.com', 'https://login.microsoftonline.com'];

type Begun = Pick<OidcFlow, 'purpose' | 'returnTo' | 'sessionId' | 'token'> & {
  prompt: 'login' | 'choose' | 'none' | null;
};

/**
 * Begins a flow: returns it with the address where the provider signs a person in. `prompt`: `'login'` asks for a new
 * sign-in, `'choose'` which account it is (a new sign-in where the provider cannot ask), `'none'` for an answer without
 * a question; throws where it would show a page all the same.
 */
export async function leadToProvider(provider: OidcProvider, { prompt: wantedPrompt, ...begun }: Begun) {
  const configuration = await discover(provider);
  const { prompt_values_supported: prompts } = configuration.serverMetadata() as { prompt_values_supported?: string[] };
  const canChoose = prompts?.includes('select_account') ?? choosesAccount.includes(new URL(provider.issuer).origin);
  const choice = canChoose ? 'select_account' : 'login';
  const prompt = wantedPrompt === 'choose' ? choice : wantedPrompt;
  const flow: OidcFlow = {
    ...begun,
    prompt,
    provider: provider.id,
    startedAt: Math.floor(Date.now() / 1000),
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  };
  const address = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectAddressOf(provider),
    scope: 'openid profile email',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge_method: 'S256',
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
    ...(prompt && { prompt }),
    ...(prompt === 'login' && { max_age: '0' }),
  });
  if (prompt === 'none') await checkSilence(provider, address);
  return { address: address.href, flow };
}

// Without this, a provider that answers with a page of its own keeps the browser: for a disabled client, or because it
// ignores `prompt=none`. Nobody is signed in on this connection, so a provider that obeys redirects at once.
async function checkSilence(provider: OidcProvider, address: URL): Promise<void> {
  const signal = AbortSignal.timeout(waitSeconds * 1000);
  const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal } as const;
  const { status, headers, body } = await fetchFor(provider)(address.href, options);
  await body?.cancel();
  if (!headers.get('location')?.startsWith(`${redirectAddressOf(provider)}?`))
    throw new Error(`a silent question is answered with a page (HTTP ${status})`);
}

const hasName = ({ preferred_username: username, email, name }: oidc.IDToken) => Boolean(username || email || name);

/**
 * Whom a provider identifies in the way back `query` of a flow. The library checks state, nonce, PKCE,
 * and the signature, issuer, audience and times of the ID token. Throws what it refuses.
 */
export async function identify(provider: OidcProvider, query: string, flow: OidcFlow): Promise<Identity> {
  const configuration = await discover(provider);
  const address = new URL(redirectAddressOf(provider));
  address.search = query;
  const tokens = await oidc.authorizationCodeGrant(configuration, address, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims() as oidc.IDToken;
  if (hasName(claims) || !configuration.serverMetadata().userinfo_endpoint) return asIdentity(claims, provider, flow);
  // A sign-in does not fail for want of a name.
  const more = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(() => ({}));
  return asIdentity({ ...more, ...claims }, provider, flow);
}

/**
 * The address at which a provider ends its own session of this browser and leads back to `APP_URL/login`, which must be
 * registered there, with `state=signed-out`. Null: it has none, or does not answer.
 */
export async function findLogoutAddress(provider: OidcProvider): Promise<string | null> {
  const configuration = await discover(provider).catch(() => null);
  if (!configuration?.serverMetadata().end_session_endpoint) return null;
  const back = { post_logout_redirect_uri: `${env().APP_URL}/login`, state: 'signed-out' };
  return oidc.buildEndSessionUrl(configuration, back).href;
}

// A logout works wherever the clocks allow a sign-in, whose tokens are good for longer.
const logoutToleranceSeconds = 600;

const Storable = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'));

// OpenID Connect Back-Channel Logout 1.0, section 2.4.
const LogoutClaims = z.object({
  ...{ jti: Storable, iat: z.number(), exp: z.number(), nonce: z.undefined().optional() },
  ...{ sid: Storable.optional(), sub: Storable.optional() },
  events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.looseObject({}) }),
});

function readClaims(token: string): z.infer<typeof LogoutClaims> {
  try {
    const claims = LogoutClaims.parse(jose.decodeJwt(token));
    if ((claims.sid ?? claims.sub) !== undefined) return claims;
  } catch {}
  throw new Error('the token is not a logout token');
}

// Strangers post here, and each token would ask the provider twice.
const logoutKeys = new Map<string, { keys: Promise<jose.JWTVerifyGetKey>; until: number }>();

function keysFor(provider: OidcProvider): Promise<jose.JWTVerifyGetKey> {
  const kept = logoutKeys.get(provider.issuer);
  if (kept && kept.until > performance.now()) return kept.keys;
  const fetchKeys: jose.FetchImplementation = (address, options) =>
    fetchFor(provider)(address, { ...options, headers: Object.fromEntries(options.headers), body: undefined });
  const keys = discover(provider).then((configuration) =>
    jose.createRemoteJWKSet(new URL(String(configuration.serverMetadata().jwks_uri)), {
      [jose.customFetch]: fetchKeys,
    }),
  );
  logoutKeys.set(provider.issuer, { keys, until: performance.now() + 5 * 60_000 });
  keys.catch(() => logoutKeys.delete(provider.issuer));
  return keys;
}

/** Whom a provider has signed out: its session `sid`, the person `sub`, or both. Throws on a wrong or used token. */
export async function readLogoutToken(provider: OidcProvider, token: string): Promise<{ sid?: string; sub?: string }> {
  const { sid, sub, jti } = readClaims(token);
  await jose.jwtVerify(token, await keysFor(provider), {
    issuer: provider.issuer,
    audience: provider.clientId,
    typ: 'logout+jwt',
    clockTolerance: logoutToleranceSeconds,
  });
  const counter = { text: `logout\n${provider.issuer}\n${jti}`, minutes: 24 * 60, most: 1 };
  if ((await countUses([counter])) > 0) throw new Error('the logout token was used before');
  return { sid, sub };
}

/** Why a sign-in at a provider fails: the sentence for the operator, and its pattern. The first match counts. */
const causes = {
  'redirect-address': [
    'the redirect address is not registered at the provider',
    /redirect_uri|redirect (?:address|url)/i,
  ],
  client: ['the provider accepts not this clientId or clientSecret', /invalid_client|unauthorized_client|WWW_AUTH/],
  cancelled: ['the person cancelled, or the provider refused them', /access_denied|(?:login|interaction)_required/],
  expired: [
    'the certificate has expired or is not valid yet; renew it at the provider, or correct the clock here',
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
  ],
  certificate: [
    'the certificate is not trusted ("ca" names that of an own authority)',
    /CERT|SELF_SIGNED|UNABLE_TO|_TLS|_SSL/,
  ],
  time: ['the clocks here and at the provider differ by more than 3 minutes', /timestamp/i],
  algorithm: ['the signature has an algorithm that is refused, or that was not announced', /"alg"|unsupported/],
  unreachable: [
    'the provider does not answer, or not as one of OpenID Connect',
    /ECONN|ENOTFOUND|EAI_AGAIN|EHOST|ENET|TIME_?D?OUT|Abort|UND_ERR|RESPONSE_IS_NOT|PARSE_ERROR|server_error|unavailable/,
  ],
  slash: ['the issuer in the settings and at the provider differ in the slash at the end', null],
  issuer: ['the provider calls itself by another issuer than the settings', null],
  other: ['the answer of the provider was refused', null],
} as const;

type Cause = keyof typeof causes;

// The errors of RFC 6749 and OpenID Connect Core.
const standardErrors =
  /^(?:(?:access|invalid|unauthorized|unsupported|server|temporarily|interaction|login|consent)_[a-z_]{1,30}|account_selection_required)$/;

type Told = Error & { code?: unknown; error?: string; error_description?: string };

/** Explains an error of `provider.ts`, without what a person typed. `issuer` is that of the settings. */
export function explainFailure(thrown: unknown, issuer: string) {
  const chain: Told[] = [];
  for (let told = thrown; told instanceof Error && chain.length < 5; told = told.cause) chain.push(told as Told);
  const { error, error_description: description } = chain[0] ?? {};
  const messages = chain.map(({ message }) => message).join(': ');
  const codes = chain.map(({ code, name }) => `${code ?? name}`);
  const text = [...codes, messages, error, description].join(' ');
  const otherIssuer = findOtherIssuer(chain[0]);
  const isSame = otherIssuer?.replace(/\/$/, '') === issuer.replace(/\/$/, '');
  const named = Object.keys(causes).find((name) => causes[name as Cause][1]?.test(text)) as Cause | undefined;
  const cause: Cause = otherIssuer === undefined ? (named ?? 'other') : isSame ? 'slash' : 'issuer';
  return {
    cause,
    meaning: causes[cause][0],
    error_description: description && withoutTyped(description),
    error: withoutTyped(error ?? (otherIssuer === undefined ? messages : `the issuer is ${otherIssuer}`)),
  };
}

/** Logs and counts why a sign-in or sign-out at a provider failed, once an hour for each cause and error. */
export function logProviderFailure(thrown: unknown, { id, issuer }: { id: string; issuer: string }): Cause {
  const { cause, error, ...once } = explainFailure(thrown, issuer);
  // A person can type what comes with the way back.
  const isTyped = thrown instanceof AuthorizationResponseError && !standardErrors.test(error);
  const same = { provider: id, issuer, cause, error: isTyped ? 'unknown' : error };
  metrics()?.count('provider_failures', cause);
  logRepeats('warn', same, once, 'a sign-in at a provider failed', 60 * 60_000);
  return cause;
}

// openid-client keeps the metadata that it refused as the cause.
function findOtherIssuer(thrown: unknown): string | undefined {
  if (thrown instanceof OtherIssuer) return thrown.message;
  const cause = (thrown as Error | undefined)?.cause as { attribute?: string; body?: { issuer?: unknown } } | undefined;
  return cause?.attribute === 'issuer' ? String(cause.body?.issuer) : undefined;
}

// A provider may repeat a name, an address or what stands in a field.
const withoutTyped = (text: string): string =>
  text
    .replace(/(["'`‘“]).*?(["'`’”])|\S+@\S+/g, '…')
    .replace(/\p{C}/gu, ' ')
    .slice(0, 200);
