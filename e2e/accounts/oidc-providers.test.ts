import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { rootCertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeCompany, password } from '#e2e/support/data/company.ts';
import { Visitor } from '#e2e/support/http/cookie-jar.ts';
import { certificateFiles } from '#e2e/support/proxies/certificates/certificates.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { type IdToken, startOidcProvider, type TestProvider } from '#e2e/support/service/oidc-provider.ts';
import { freePort, type Service, startOrExplain } from '#e2e/support/service/service.ts';

let service: Service;
let providers: Record<'post' | 'private' | 'untrusted' | 'stranger', TestProvider>;
let settings: Record<string, string | undefined>;
let metricsPort: number;

beforeAll(async () => {
  const port = await freePort();
  metricsPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [key, cert] = await Promise.all([
    readFile(certificateFiles.key, 'utf8'),
    readFile(certificateFiles.certificate, 'utf8'),
  ]);
  const [post, trusted, untrusted, stranger] = await Promise.all([
    startOidcProvider(url, { id: 'post', method: 'client_secret_post' }),
    startOidcProvider(url, { id: 'private', tls: { key, cert }, more: { ca: certificateFiles.authority } }),
    startOidcProvider(url, { id: 'untrusted', tls: { key, cert } }),
    startOidcProvider(url, { id: 'stranger', more: { clientSecret: 'salah' } }),
  ]);
  providers = { post, private: trusted, untrusted, stranger };
  // This process is the person's browser, which trusts the company's certificates.
  setDefaultCACertificates([...rootCertificates, await readFile(certificateFiles.authority, 'utf8')]);
  const [first] = JSON.parse(post.setting);
  const setting = [
    ...Object.values(providers).flatMap((one) => JSON.parse(one.setting)),
    // The issuers must differ, so each way to write the same provider has a different end.
    { ...first, id: 'slash', issuer: `${post.issuer}/` },
    { ...first, id: 'dead', issuer: `http://127.0.0.1:${await freePort()}` },
    { ...first, id: 'other-name', issuer: post.issuer.replace('127.0.0.1', 'localhost') },
  ];
  settings = {
    ...{ DATABASE_URL: process.env.DATABASE_URL, AUTH_SECRET: process.env.AUTH_SECRET, HOST: '127.0.0.1' },
    ...{ PORT: String(port), METRICS_PORT: String(metricsPort), APP_URL: url, OIDC_PROVIDERS: JSON.stringify(setting) },
  };
  service = await startOrExplain(settings);
});
afterAll(async () => {
  await service?.stop();
  await Promise.all(Object.values(providers ?? {}).map((one) => one.stop()));
});
beforeEach(() => {
  Object.assign(providers.post, { lie: null, algorithm: 'RS256', changeAnswer: postOnly });
});

const isMetadata = (path: string) => path.startsWith('/.well-known/');
const postOnly: TestProvider['changeAnswer'] = (path, answer) =>
  isMetadata(path) ? { ...answer, token_endpoint_auth_methods_supported: ['client_secret_post'] } : answer;

/** A round trip of a person whom nobody here knows. Returns the path on which they end. */
async function tryProvider(id: string, visitor = new Visitor(), fields: Record<string, string> = {}): Promise<string> {
  const left = await visitor.request(`${service.url}/api/auth/signin/${id}`, fields);
  const found = Object.values(providers).find(({ issuer }) => Visitor.next(left)?.startsWith(issuer));
  const back = found ? await visitor.follow(left, found.issuer) : Visitor.next(left);
  const isBack = back?.startsWith(`${service.url}/api/auth/callback/`);
  const next = isBack ? Visitor.next(await visitor.request(back ?? '')) : back;
  return (next ?? '').replace(service.url, '').replace(/&.*/, '');
}

const failedLines = () =>
  service
    .output()
    .split('\n')
    .filter((line) => line.includes('"a sign-in at a provider failed"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a provider that takes the secret in the body, and one with a private certificate, identify a person', async () => {
  expect(await tryProvider('post')).toBe('/login?problem=unknown-identity');
  expect(providers.post.authorization).toBe(undefined);
  expect(await tryProvider('private')).toBe('/login?problem=unknown-identity');
  expect(providers.private.authorization).toMatch(/^Basic /);
});

test('the log and the metrics say for each provider why a sign-in failed, once an hour, without what was typed', async () => {
  const expected: [string, string, () => void][] = [
    ['slash', 'slash', () => {}],
    ['other-name', 'issuer', () => {}],
    ['dead', 'unreachable', () => {}],
    ['untrusted', 'certificate', () => {}],
    ['post', 'algorithm', () => Object.assign(providers.post, { algorithm: 'HS256' })],
    [
      'post',
      'time',
      () => Object.assign(providers.post, { lie: ({ claims }: IdToken) => Object.assign(claims, { exp: 1 }) }),
    ],
    ['stranger', 'client', () => {}],
    ['post', 'cancelled', () => Object.assign(providers.post, { person: null })],
  ];
  const causes = [];
  for (const [id, , spoil] of expected) {
    Object.assign(providers.post, { lie: null, algorithm: 'RS256', changeAnswer: postOnly });
    spoil();
    for (let time = 0; time < 2; time++) expect(await tryProvider(id)).toBe('/login?problem=provider');
  }
  Object.assign(providers.post, { person: { subject: 'siti' } });
  const visitor = new Visitor();
  const left = await visitor.request(`${service.url}/api/auth/signin/post`, {});
  const state = new URL(Visitor.next(left) ?? '').searchParams.get('state') ?? '';
  const typed = new URLSearchParams({ state, error: 'invalid_request', iss: providers.post.issuer });
  typed.set('error_description', "No user 'siti rahma' or siti@kantor.test with this redirect_uri");
  await visitor.request(`${service.url}/api/auth/callback/post?${typed}`);
  await expect.poll(() => failedLines().length).toBe(expected.length + 1);
  for (const { provider, cause, issuer, error, meaning } of failedLines()) {
    causes.push([provider, cause]);
    expect([issuer, error, meaning]).not.toContain(undefined);
  }
  expect(causes).toEqual([...expected.map(([id, cause]) => [id, cause]), ['post', 'redirect-address']]);
  const [last] = failedLines().slice(-1);
  expect(last).toMatchObject({ error: 'invalid_request', error_description: 'No user … or … with this redirect_uri' });
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toContain('notif_provider_failures_total{cause="certificate"} 2');
});

test('the settings of an owner name the provider that does not answer', async () => {
  const company = await makeCompany();
  const visitor = new Visitor();
  await visitor.request(`${service.url}/api/auth/sign-in`, { username: company.username, password });
  const path = await tryProvider('dead', visitor, { purpose: 'link' });
  expect(path).toBe('/owner/settings?identity=unreachable:dead#identities');
  const page = await (await visitor.request(service.url + path)).text();
  expect(page).toContain('Perusahaan SSO is not answering');
});

test('the doctor asks each provider, and says what is wrong and what to register', async () => {
  const examine = async () => {
    const { output } = await runNotif(['doctor', '--json'], settings);
    const { checks } = JSON.parse(output) as { checks: { name: string; state: string; sentence: string }[] };
    return checks.filter(({ name }) => name.startsWith('provider'));
  };
  const found = await examine();
  const of = (issuer: string) => found.filter(({ sentence }) => sentence.includes(`${issuer} `));
  const good = of(providers.private.issuer);
  expect(good.map(({ name, state }) => [name, state])).toEqual([
    ['provider', 'ok'],
    ['provider-algorithm', 'ok'],
    ['provider-keys', 'ok'],
    ['provider-redirect-address', 'ok'],
    ['provider-client', 'ok'],
  ]);
  expect(good[0]?.sentence).toContain(`Register ${service.url}/login for the way back from a sign-out.`);
  expect(good[3]?.sentence).toContain(`${service.url}/api/auth/callback/private`);
  const wrong = found.filter(({ state }) => state === 'error').map(({ name }) => name);
  expect(wrong.sort()).toEqual([
    'provider-certificate',
    'provider-client',
    'provider-issuer',
    'provider-slash',
    'provider-unreachable',
  ]);
  Object.assign(providers.post, { algorithm: 'HS256' });
  const later = (await examine()).find(({ sentence }) =>
    sentence.startsWith(`${providers.post.issuer} signs with HS256`),
  );
  expect(later).toMatchObject({ name: 'provider-algorithm', state: 'error' });
});

test('the doctor sees a redirect address that is not registered, and a clock that is far off', async () => {
  const page = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${port}`;
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Date', new Date(Date.now() + 600_000).toUTCString());
    const endpoints = Object.fromEntries(
      ['authorization', 'token'].map((name) => [`${name}_endpoint`, `${issuer}/${name}`]),
    );
    const metadata = { issuer, jwks_uri: `${issuer}/keys`, ...endpoints };
    const error = { error: 'invalid_grant', error_description: 'x' };
    if (!isMetadata(request.url ?? '')) response.statusCode = request.url === '/keys' ? 200 : 400;
    response.end(
      JSON.stringify(isMetadata(request.url ?? '') ? metadata : request.url === '/keys' ? { keys: [{}] } : error),
    );
  });
  const port = await freePort();
  await new Promise<void>((resolve) => page.listen(port, '127.0.0.1', resolve));
  const provider = { issuer: `http://127.0.0.1:${port}`, clientId: 'x', clientSecret: 'x', label: 'Lain' };
  const { output } = await runNotif(['doctor', '--json'], { ...settings, OIDC_PROVIDERS: JSON.stringify([provider]) });
  page.closeAllConnections();
  page.close();
  const { checks } = JSON.parse(output) as { checks: { name: string; state: string }[] };
  expect(checks.filter(({ name, state }) => name.startsWith('provider') && state !== 'ok')).toMatchObject([
    { name: 'provider-time', state: 'error' },
    { name: 'provider-redirect-address', state: 'warning' },
  ]);
});
