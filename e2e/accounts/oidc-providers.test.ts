import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { rootCertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeEach, expect } from 'vitest';
import { password } from '#e2e/support/data/company.ts';
import { test } from '#e2e/support/data/test.ts';
import { Visitor } from '#e2e/support/http/cookie.ts';
import { certificateFiles } from '#e2e/support/proxies/certificates/certificates.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { type IdToken, startOidcProvider, type TestProvider } from '#e2e/support/service/oidc-provider.ts';
import { freePort, startOrExplain, withProviders } from '#e2e/support/service/service.ts';

const metricsPort = await freePort();
const url = `http://127.0.0.1:${await freePort()}`;
const key = await readFile(certificateFiles.key, 'utf8');
const cert = await readFile(certificateFiles.certificate, 'utf8');
const more = { ca: certificateFiles.authority };
const providers = {
  post: await startOidcProvider(url, { id: 'post', method: 'client_secret_post' }),
  private: await startOidcProvider(url, { id: 'private', tls: { key, cert }, more }),
  untrusted: await startOidcProvider(url, { id: 'untrusted', tls: { key, cert } }),
  stranger: await startOidcProvider(url, { id: 'stranger', more: { clientSecret: 'salah' } }),
};
// This process is the person's browser, which trusts the company's certificates.
setDefaultCACertificates([...rootCertificates, await readFile(certificateFiles.authority, 'utf8')]);
const { post } = providers;
const [first] = JSON.parse(post.setting);
const setting = [
  ...Object.values(providers).flatMap((one) => JSON.parse(one.setting)),
  // Issuers must be unique, so these entries spell the address of one provider in different ways.
  { ...first, id: 'slash', issuer: `${post.issuer}/` },
  { ...first, id: 'dead', issuer: `http://127.0.0.1:${await freePort()}` },
  { ...first, id: 'other-name', issuer: post.issuer.replace('127.0.0.1', 'localhost') },
];
const settings = { ...withProviders(url, JSON.stringify(setting)), METRICS_PORT: String(metricsPort) };
const service = await startOrExplain(settings);
afterAll(() => Promise.all(Object.values(providers).map((one) => one.stop())));
beforeEach(() => {
  Object.assign(providers.post, { lie: null, algorithm: 'RS256', changeAnswer: postOnly });
});

const isMetadata = (path: string) => path.startsWith('/.well-known/');
const postOnly: TestProvider['changeAnswer'] = (path, answer) =>
  isMetadata(path) ? { ...answer, token_endpoint_auth_methods_supported: ['client_secret_post'] } : answer;

/** A round trip of a person without a connected account. Returns the path on which they end. */
async function tryProvider(id: string, visitor = new Visitor(), fields: Record<string, string> = {}): Promise<string> {
  const left = await visitor.request(`${service.url}/api/auth/signin/${id}`, fields);
  const found = Object.values(providers).find(({ issuer }) => Visitor.next(left)?.startsWith(issuer));
  const back = found ? await visitor.follow(left, found.issuer) : Visitor.next(left);
  const isBack = back?.startsWith(`${service.url}/api/auth/callback/`);
  const next = isBack ? Visitor.next(await visitor.request(back ?? '')) : back;
  return (next ?? '').replace(service.url, '').replace(/&.*/, '');
}

const failedLines = () => {
  const lines = service.output().match(/^\{.*"a sign-in at a provider failed"\}$/gm) ?? [];
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

test('a provider that takes the secret in the body, and one with a private certificate, identify a person', async () => {
  expect(await tryProvider('post')).toBe('/login?problem=unknown-identity');
  expect(providers.post.authorization).toBe(undefined);
  expect(await tryProvider('private')).toBe('/login?problem=unknown-identity');
  expect(providers.private.authorization).toMatch(/^Basic /);
});

test('log and metrics say once an hour for each fault of a provider why it failed, without what was typed', async () => {
  const lie = (changes: object) => ({ lie: ({ claims }: IdToken) => Object.assign(claims, changes) });
  const expected: [id: string, cause: string, faults?: object][] = [
    ['slash', 'slash'],
    ['other-name', 'issuer'],
    ['dead', 'unreachable'],
    ['untrusted', 'certificate'],
    ['post', 'algorithm', { algorithm: 'HS256' }],
    ['post', 'time', lie({ exp: 1 })],
    ['stranger', 'client'],
    ['post', 'other', lie({ aud: 'lain' })],
    ['post', 'other', lie({ nonce: 'lain' })],
    ['post', 'cancelled', { person: null }],
  ];
  const causes = [];
  for (const [id, , faults] of expected) {
    Object.assign(providers.post, { lie: null, algorithm: 'RS256', changeAnswer: postOnly, ...faults });
    for (let time = 0; time < 2; time++) expect(await tryProvider(id)).toBe('/login?problem=provider');
  }
  Object.assign(providers.post, { person: { subject: 'siti' } });
  const sendBack = async (fields: Record<string, string>) => {
    const visitor = new Visitor();
    const left = await visitor.request(`${service.url}/api/auth/signin/post`, {});
    const state = new URL(Visitor.next(left) ?? '').searchParams.get('state') ?? '';
    const typed = new URLSearchParams({ state, iss: providers.post.issuer, ...fields });
    await visitor.request(`${service.url}/api/auth/callback/post?${typed}`);
  };
  for (const error of ['invalid_scope', 'consent_required', 'typed-1', 'typed-2']) await sendBack({ error });
  const typed = "No user 'siti rahma' or siti@kantor.test with this redirect_uri";
  await sendBack({ error: 'invalid_request', error_description: typed });
  await expect.poll(() => failedLines().length).toBe(expected.length + 4);
  for (const { provider, cause, issuer, error, meaning } of failedLines()) {
    causes.push([provider, cause]);
    expect([issuer, error, meaning]).not.toContain(undefined);
  }
  const ofTyped = ['other', 'other', 'other', 'redirect-address'].map((cause) => ['post', cause]);
  expect(causes).toEqual([...expected.map(([id, cause]) => [id, cause]), ...ofTyped]);
  const [last] = failedLines().slice(-1);
  expect(last).toMatchObject({ error: 'invalid_request', error_description: 'No user … or … with this redirect_uri' });
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toContain('notif_provider_failures_total{cause="certificate"} 2');
});

test('the settings of an owner name the provider that does not answer', async ({ company }) => {
  const visitor = new Visitor();
  await visitor.request(`${service.url}/api/auth/sign-in`, { username: company.username, password });
  const path = await tryProvider('dead', visitor, { purpose: 'link' });
  expect(path).toBe('/owner/settings?identity=unreachable:dead#identities');
  expect(await (await visitor.request(service.url + path)).text()).toContain('Perusahaan SSO is not answering');
});

async function examine(variables: Record<string, string | undefined>) {
  const { output } = await runNotif(['doctor', '--json'], variables);
  const { checks } = JSON.parse(output) as { checks: { name: string; state: string; sentence: string }[] };
  // Companies of other tests require providers that these settings do not have.
  return checks.filter(({ name }) => name.startsWith('provider') && name !== 'provider-required');
}

test('the doctor asks each provider, and says what is wrong and what to register', async () => {
  Object.assign(providers.post, { algorithm: 'HS256' });
  const found = await examine(settings);
  const good = found.find(({ sentence }) => sentence.startsWith(providers.private.issuer));
  expect(good).toMatchObject({ name: 'provider', state: 'ok' });
  expect(good?.sentence).toContain(`${service.url}/api/auth/callback/private as the redirect address`);
  expect(good?.sentence).toContain(`${service.url}/login for the way back from a sign-out`);
  expect(good?.sentence).toContain(`${service.url}/api/auth/logout/private for its logout messages`);
  const wrong = found.filter(({ state }) => state === 'error').map(({ name }) => name.replace('provider-', ''));
  expect(wrong.sort()).toEqual(['algorithm', 'certificate', 'client', 'issuer', 'slash', 'unreachable']);
});

test('the doctor sees a clock that is far off, missing keys, a token endpoint with pages, and no sign-out', async () => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const page = createServer((request, response) => {
    response.setHeader('Content-Type', request.url === '/token' ? 'text/html' : 'application/json');
    response.setHeader('Date', new Date(Date.now() + 600_000).toUTCString());
    const facts = { issuer, jwks_uri: `${issuer}/keys`, token_endpoint: `${issuer}/token` };
    if (request.url === '/token') response.end('<!doctype html>');
    else response.end(JSON.stringify(isMetadata(request.url ?? '') ? facts : { keys: [] }));
  });
  await new Promise<void>((resolve) => page.listen(port, '127.0.0.1', resolve));
  const provider = { issuer, clientId: 'x', clientSecret: 'x', label: 'Lain' };
  const found = await examine({ ...settings, OIDC_PROVIDERS: JSON.stringify([provider]) });
  page.closeAllConnections();
  page.close();
  expect(found.map(({ name }) => name)).toEqual(['provider', 'provider-unreachable', 'provider-keys', 'provider-time']);
  expect(found[0]?.sentence).toContain('which it does not offer');
});
