import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import Provider from 'oidc-provider';
import { freePort } from '#e2e/support/service/service.ts';

export type IdToken = { claims: Record<string, unknown>; header: Record<string, unknown> };

type Tokens = Record<string, unknown>;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const onCurve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey;
const [p256, p384, ed25519] = [onCurve('P-256'), onCurve('P-384'), generateKeyPairSync('ed25519').privateKey];
const jwks = [rsa, p256, p384, ed25519].map((key, index) => ({
  ...key.export({ format: 'jwk' }),
  kid: `test-${index}`,
  use: 'sig',
}));

const clientSecret = 'rahasia klien uji';

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const ec = { dsaEncoding: 'ieee-p1363' } as const;

/** How a provider signs by each algorithm, and with which of its keys. */
const algorithms: Record<string, { kid: string; sign: (content: Buffer, key?: KeyObject) => Buffer }> = {
  RS256: { kid: 'test-0', sign: (content, key = rsa) => sign('sha256', content, key) },
  RS512: { kid: 'test-0', sign: (content, key = rsa) => sign('sha512', content, key) },
  PS256: { kid: 'test-0', sign: (content, key = rsa) => sign('sha256', content, { key, ...pss }) },
  ES256: { kid: 'test-1', sign: (content, key = p256) => sign('sha256', content, { key, ...ec }) },
  ES384: { kid: 'test-2', sign: (content, key = p384) => sign('sha384', content, { key, ...ec }) },
  EdDSA: { kid: 'test-3', sign: (content, key = ed25519) => sign(null, content, key) },
  HS256: { kid: 'test-0', sign: (content) => createHmac('sha256', clientSecret).update(content).digest() },
  none: { kid: 'test-0', sign: () => Buffer.alloc(0) },
};

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** Signs an ID token by the algorithm in its header, by default with the provider's own key. */
export function signIdToken({ header, claims }: IdToken, key?: KeyObject): string {
  const algorithm = algorithms[String(header.alg)];
  if (!algorithm) throw new Error(`the test provider does not sign by ${header.alg}`);
  const content = `${encode({ ...header, kid: algorithm.kid })}.${encode(claims)}`;
  return `${content}.${algorithm.sign(Buffer.from(content), key).toString('base64url')}`;
}

export function readIdToken(token: unknown): IdToken {
  const [header, claims] = String(token).split('.');
  return { header: decode(header), claims: decode(claims) };
}

type Options = {
  id?: string;
  method?: 'client_secret_basic' | 'client_secret_post';
  tls?: { key: string; cert: string };
  more?: Record<string, unknown>;
};

/** Starts a provider with one client, that of the service at `appUrl`. What a test sets holds for next sign-ins. */
export async function startOidcProvider(
  appUrl: string,
  { id = 'uji', method = 'client_secret_basic', tls, more = {} }: Options = {},
) {
  const port = await freePort();
  const issuer = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  const client = { client_id: 'notif', client_secret: clientSecret, label: 'Perusahaan SSO' };
  const test = {
    issuer,
    setting: JSON.stringify([{ id, issuer, clientId: client.client_id, clientSecret, label: client.label, ...more }]),
    /** Who signs in there, and how. Null: the person cancels. */
    person: { subject: 'siti' } as { subject: string; amr?: string[]; acr?: string } | null,
    /** Changes the ID token that the provider gives; its signature stays right. */
    lie: null as ((token: IdToken) => void) | null,
    /** The algorithm by which it signs, and which it announces. */
    algorithm: 'RS256',
    /** Changes the answer with the tokens, or what the provider says about itself. */
    changeAnswer: null as ((path: string, answer: Tokens) => Tokens | 'never' | 'trickle') | null,
    /** Whether it answers each request for an authorization with an error page, as for a disabled client. */
    isDisabled: false,
    /** The queries of all requests for an authorization. */
    asked: [] as URLSearchParams[],
    requests: 0,
    userInfoRequests: 0,
    /** The header with which the newest request for tokens named its client. */
    authorization: undefined as string | undefined,
    stop: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.client_id,
        client_secret: client.client_secret,
        redirect_uris: [`${appUrl}/api/auth/callback/${id}`],
        post_logout_redirect_uris: [`${appUrl}/login`],
        token_endpoint_auth_method: method,
      },
    ],
    jwks: { keys: jwks },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    cookies: { keys: ['a key of the tests'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'amr', 'acr'], profile: ['preferred_username'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: `${id}@sso.test` }) }),
    loadExistingGrant: async ({ oidc }) => {
      const existing = await provider.Grant.find(oidc.session?.grantIdFor(client.client_id) ?? '');
      if (existing) return existing;
      const grant = new provider.Grant({ clientId: client.client_id, accountId: oidc.session?.accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  const listen: RequestListener = (request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname;
    test.requests++;
    if (path === '/token') test.authorization = request.headers.authorization;
    if (path === '/me') test.userInfoRequests++;
    if (path === '/auth') test.asked.push(new URL(request.url ?? '/', issuer).searchParams);
    if (path === '/auth' && test.isDisabled) return void response.writeHead(400).end('Client disabled');
    if (path.startsWith('/interaction/')) {
      const { person } = test;
      const result = person
        ? { login: { accountId: person.subject, amr: person.amr, acr: person.acr } }
        : { error: 'access_denied' };
      void provider.interactionFinished(request, response, result);
      return;
    }
    const end = response.end.bind(response);
    response.end = ((body?: unknown) => {
      const answer = path === '/token' || path.startsWith('/.well-known/') ? answerOf(path, String(body)) : body;
      if (answer === 'never') return response;
      if (answer === 'trickle') {
        response.removeHeader('content-length');
        setInterval(() => response.write(' '), 500).unref();
        return response;
      }
      if (typeof answer === 'string') response.setHeader('Content-Length', Buffer.byteLength(answer));
      return end(answer);
    }) as typeof response.end;
    void handle(request, response);
  };
  const server = tls ? createTlsServer(tls, listen) : createServer(listen);
  const answerOf = (path: string, body: string): string => {
    const answer = JSON.parse(body) as Tokens;
    if (path.startsWith('/.well-known/')) answer.id_token_signing_alg_values_supported = [test.algorithm];
    if (answer.id_token) {
      const { header, claims } = readIdToken(answer.id_token);
      const token = { header: { ...header, alg: test.algorithm }, claims };
      test.lie?.(token);
      answer.id_token = signIdToken(token);
    }
    const changed = test.changeAnswer?.(path, answer) ?? answer;
    return typeof changed === 'string' ? changed : JSON.stringify(changed);
  };
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return test;
}

export type TestProvider = Awaited<ReturnType<typeof startOidcProvider>>;
