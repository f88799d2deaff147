import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { freePort } from '#e2e/support/service/service.ts';

/** The claims and the header of an ID token. */
export type IdToken = { claims: Record<string, unknown>; header: Record<string, unknown> };

type Tokens = Record<string, unknown>;

/** A provider of OpenID Connect on this machine. What a test sets holds for the next sign-ins. */
export type TestProvider = {
  issuer: string;
  setting: string;
  /** Who signs in there, and how. Null: the person cancels. */
  person: { subject: string; amr?: string[]; acr?: string } | null;
  /** Changes the ID token that the provider gives; its signature stays right. */
  lie: ((token: IdToken) => void) | null;
  /** Changes the answer with the tokens, or what the provider says about itself. */
  changeAnswer: ((path: string, answer: Tokens) => Tokens | 'never' | 'trickle') | null;
  /** The queries of all requests for an authorization. */
  asked: URLSearchParams[];
  stop: () => Promise<void>;
};

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = { ...keys.privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' };

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** Signs an ID token, by default with the provider's own key. */
export function signIdToken({ header, claims }: IdToken, key = keys.privateKey): string {
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`;
}

/** Reads an ID token. */
export function readIdToken(token: unknown): IdToken {
  const [header, claims] = String(token).split('.');
  return { header: decode(header), claims: decode(claims) };
}

/** Starts a provider with one client, whose redirect address is that of the service at `appUrl`. */
export async function startOidcProvider(appUrl: string, id = 'uji'): Promise<TestProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const client = { client_id: 'notif', client_secret: 'rahasia klien uji', label: 'Perusahaan SSO' };
  const test: TestProvider = {
    issuer,
    setting: JSON.stringify([
      { id, issuer, clientId: client.client_id, clientSecret: client.client_secret, label: client.label },
    ]),
    ...{ person: { subject: 'siti' }, lie: null, changeAnswer: null, asked: [] },
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
      },
    ],
    jwks: { keys: [jwk] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    cookies: { keys: ['a key of the tests'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'amr', 'acr'], profile: ['preferred_username'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, preferred_username: `${accountId}@sso.test` }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: client.client_id, accountId: oidc.session?.accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname;
    if (path === '/auth') test.asked.push(new URL(request.url ?? '/', issuer).searchParams);
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
  });
  const answerOf = (path: string, body: string): string => {
    let answer = JSON.parse(body) as Tokens;
    if (test.lie && answer.id_token) {
      const token = readIdToken(answer.id_token);
      test.lie(token);
      answer.id_token = signIdToken(token);
    }
    const changed = test.changeAnswer?.(path, answer) ?? answer;
    if (typeof changed === 'string') return changed;
    answer = changed;
    return JSON.stringify(answer);
  };
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return test;
}
