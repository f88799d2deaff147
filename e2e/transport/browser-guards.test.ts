import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany, password } from '#e2e/support/data/company.ts';
import { callAction } from '#e2e/support/http/call-action.ts';
import { requestSignIn, requestSignOut, sessionCookie, signInForCookie } from '#e2e/support/http/cookie.ts';
import { askRaw } from '#e2e/support/http/raw.ts';
import { inBatches } from '#e2e/support/running.ts';
import { actionNamed, builtActions, builtAddresses, missingLateFiles } from '#e2e/support/service/build.ts';
import { freePort, type Service, startOrExplain } from '#e2e/support/service/service.ts';

const pages = builtAddresses.filter(({ kind }) => kind === 'page').map(({ path }) => path);

const appUrl = 'https://notif.example.test';
const { host } = new URL(appUrl);
const own = { origin: appUrl };
const hsts = 'strict-transport-security';
const api = '/api/v1/notif.php';

async function startAs(way: string): Promise<Service> {
  const settings = { DATABASE_URL: process.env.DATABASE_URL, AUTH_SECRET: 'x'.repeat(40), APP_URL: appUrl };
  if (way === 'front') return startOrExplain({ ...settings, HOST: '127.0.0.1' });
  const port = await freePort();
  const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(port)];
  return startOrExplain({ ...settings, PORT: String(port), NODE_ENV: 'production' }, next, /Ready in/);
}

describe.each(['front', 'next start'])('behind TLS, %s', (way) => {
  let service: Service;
  let company: Company;
  beforeAll(async () => {
    [service, company] = await Promise.all([startAs(way), makeCompany()]);
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { headers, redirect: 'manual' });
  const raw = (line: string, headers: string[]) =>
    askRaw(service.url, `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\nConnection: close\r\n\r\n`);

  // Plain `next start` judges the host of pages only.
  test('a page takes no body of a form; for another host it is 421, and the interface answers as ever', async () => {
    const body = new FormData();
    body.append('$ACTION_1:0', '{"id":"x","bound":null}');
    expect((await fetch(`${service.url}/login`, { method: 'POST', body, headers: own })).status).toBe(405);
    const ask = async (path: string, to: string) => (await raw(`GET ${path}`, [`Host: ${to}`])).status;
    const statuses = { '/login': [200, 421], '/icon.svg': [200, 421], '/health/live': [200, 200], [api]: [401, 401] };
    for (const [path, [own, other]] of Object.entries(statuses).slice(0, way === 'front' ? 4 : 1))
      expect([path, await ask(path, host), await ask(path, 'evil.test')]).toEqual([path, own, other]);
  });

  // The response to an anonymous request, cached per address.
  const heard = new Map<string, Promise<{ headers: Headers; text: string }>>();
  const hear = (path: string) => {
    const one =
      heard.get(path) ?? get(path).then(async (answer) => ({ headers: answer.headers, text: await answer.text() }));
    heard.set(path, one);
    return one;
  };
  const policyOf = (answer: { headers: Headers }) => answer.headers.get('content-security-policy') ?? '';

  // Sets the Host of a browser. Sends no header about the page unless it is in `from`.
  const call = (action: { id: string }, input: unknown, from: Record<string, string>, path = '/login') => {
    const caller = { url: service.url, origin: null, headers: { Host: host, ...from } };
    return callAction(caller, { ...action, pages: [] }, [input], path);
  };
  const chooseLanguage = (from: Record<string, string>) => call(actionNamed('chooseLanguageAction'), 'en', from);

  test('every page has a policy with its own nonce and runs no script without it', async () => {
    expect(pages.length).toBeGreaterThan(25);
    await inBatches(pages, hear);
    // The first page is requested twice.
    const nonces = [/'nonce-([^']+)'/.exec(policyOf(await get(pages[0] ?? '')))?.[1]];
    for (const path of pages) {
      const answer = await hear(path);
      const nonce = /'nonce-([^']{22,})'/.exec(policyOf(answer))?.[1];
      expect(policyOf(answer), path).toContain(`script-src 'self' 'nonce-${nonce}' 'strict-dynamic';`);
      for (const part of ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"])
        expect(policyOf(answer), path).toContain(part);
      expect(policyOf(answer)).not.toMatch(/unsafe-eval|https?:|\*/);
      expect(policyOf(answer).match(/unsafe-inline/g), 'in attributes only').toHaveLength(1);
      expect(nonces, path).not.toContain(nonce);
      nonces.push(nonce);
      const scripts = answer.text.match(/<(?:script|style)\b[^>]*>/g) ?? [];
      expect([path, ...scripts.filter((one) => !one.includes(`nonce="${nonce}"`))]).toEqual([path]);
      expect(answer.headers.get('cache-control'), path).toContain('no-store');
    }
  });

  test('every address forbids frames, type sniffing and other origins', async () => {
    await inBatches(builtAddresses, ({ path }) => hear(path));
    for (const { path, kind } of builtAddresses) {
      if (path === api) continue;
      const { headers } = await hear(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, path).toContain("frame-ancestors 'none'");
      if (kind === 'data') expect(policy, path).toMatch(/^default-src 'none'; base-uri 'none'; form-action 'none'/);
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin');
      // Editors on other sites may load the document.
      const isDocument = /^\/api\/v1\/openapi(?:-3\.0)?\.json$/.test(path);
      expect(headers.get('access-control-allow-origin'), path).toBe(isDocument ? '*' : null);
      if (kind === 'data') continue;
      expect(headers.get('x-frame-options'), path).toBe('DENY');
      expect(headers.get('referrer-policy'), path).toBe('same-origin');
      // The window of a bell must keep the frame that opened it.
      const opener = path === '/embed/sign-in' ? 'unsafe-none' : 'same-origin';
      expect(headers.get('cross-origin-opener-policy'), path).toBe(opener);
      expect(headers.get('permissions-policy'), path).toContain('camera=(), ');
      expect(headers.get(hsts), path).toBe('max-age=63072000');
    }
  });

  if (way === 'front')
    test('every response has the headers: page, file, CSV, JSON, health, poll, stream, refusal', async () => {
      const cookie = await signInForCookie(service.url, company.username, own);
      const script = /\/_next\/static\/[^"]+\.js/.exec((await hear('/login')).text)?.[0];
      const ask = (line: string, ...headers: string[]) => raw(line, [`Host: ${host}`, ...headers]);
      const answers: [status: number, what: string, answer: { status: number; headers: Headers }][] = [
        [200, 'a page', await get('/login')],
        [200, 'a script', await get(script ?? '')],
        [200, 'a file', await get('/offline.html')],
        [200, 'the service worker', await get('/service-worker.js')],
        [200, 'CSV', await get('/owner/audit/csv', { cookie })],
        [200, 'JSON', await get('/api/v1/openapi.json')],
        [200, 'health', await get('/health/live')],
        [403, 'another site', await ask('POST /login', 'Origin: https://evil.example')],
        [405, 'a method', await ask('PROPFIND /login', 'Content-Length: 0')],
        [405, 'a large body', await ask('POST /login', `Origin: ${appUrl}`, 'Content-Length: 1048577')],
      ];
      const said = answers.map(([, what, { status, headers }]) => [status, what, headers.get(hsts)]);
      expect(said).toEqual(answers.map(([status, what]) => [status, what, 'max-age=63072000']));
      answers.push([401, 'a poll', await get('/portal/feed')], [401, 'a stream', await get('/portal/stream')]);
      for (const [, what, { headers }] of answers) {
        expect(headers.get('content-security-policy'), what).toMatch(/default-src 'none';.*frame-ancestors 'none'/);
        expect(headers.get('x-content-type-options'), what).toBe('nosniff');
        expect(headers.get('cross-origin-resource-policy'), what).toBe('same-origin');
      }
      expect((await fetch(`${process.env.SERVICE_URL}/login`)).headers.get(hsts), 'without https').toBeNull();
    });

  test('the API answers unencrypted requests without a redirect to https (T15)', async () => {
    const answer = await get(`${api}?aksi=ping`);
    expect([answer.status, answer.headers.get('location')]).toEqual([401, null]);
  });

  test('every cookie is __Host-, Secure, HttpOnly and SameSite', async () => {
    const signedIn = await requestSignIn(service.url, company.username, own);
    const chosen = await chooseLanguage(own);
    const set = [...signedIn.headers.getSetCookie(), ...chosen.cookies];
    const names = ['__Host-known-browser', '__Host-language', '__Host-next-auth.session-token'];
    expect(set.map((one) => one.split('=')[0]).sort()).toEqual(names);
    for (const cookie of set) {
      expect(cookie).toMatch(/^__Host-/);
      for (const word of [/; Secure/i, /; HttpOnly/i, /; SameSite=lax/i, /; Path=\/(;|$)/i])
        expect(cookie).toMatch(word);
      expect(cookie).not.toMatch(/; Domain/i);
    }
    expect((await get('/owner', { cookie: sessionCookie(signedIn) })).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['Origin: null', { origin: 'null' }],
    ['a sister host', { origin: 'https://evil.notif.example.test' }],
    ['our host without encryption', { origin: 'http://notif.example.test' }],
    ['nobody knows where', {}],
    ['another site, as Sec-Fetch-Site says', { origin: appUrl, 'sec-fetch-site': 'cross-site' }],
    ['a sister host, as Sec-Fetch-Site says', { 'sec-fetch-site': 'same-site' }],
  ])('a request from %s changes nothing: sign-in, sign-out, actions (T14)', async (_, from) => {
    const cookie = await signInForCookie(service.url, company.username, own);
    const count = async () => (await sql()`select from sessions where account_id = ${company.owner.accountId}`).length;
    const before = await count();
    const strange = { origin: null, cookie, headers: from };
    const signIn = await requestSignIn(service.url, company.username, strange);
    for (const { url, status, headers } of [signIn, await requestSignOut(service.url, strange)])
      expect([url, status, headers.getSetCookie()]).toEqual([url, 403, []]);
    expect((await chooseLanguage({ ...from, cookie })).cookies).toEqual([]);
    // The front refuses the request; behind plain Next, Next or the action's own guard does.
    const guarded = await call(actionNamed('findTestRecipientAction'), false, { ...from, cookie }, '/owner/keys');
    expect(guarded.result ?? '').not.toContain('employeeId');
    const [account] = await sql()`select language from accounts where id = ${company.owner.accountId}`;
    expect([account?.language, await count()]).toEqual([null, before]);
    expect((await get('/owner', { cookie })).status).toBe(200);
  });

  test('a sign-in and a sign-out, and a guesser who is slowed down; addresses of next-auth are closed', async () => {
    const cookie = await signInForCookie(service.url, company.username, own);
    expect((await get('/owner', { cookie })).status).toBe(200);
    await requestSignOut(service.url, { ...own, cookie });
    expect((await get('/owner', { cookie })).headers.get('location')).toMatch(/^\/login/);
    const name = `tebak-${crypto.randomUUID()}`;
    const refused = await Promise.all(Array.from({ length: 11 }, () => requestSignIn(service.url, name, own)));
    expect(refused.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429]);
    expect(refused.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    for (const path of ['csrf', 'session', 'providers', 'signin', 'error', 'callback/credentials'])
      expect([path, (await get(`/api/auth/${path}`, { cookie })).status]).toEqual([path, 404]);
  });

  test('every sign-in is logged, without the name or password that was typed', async () => {
    const typed = `salah-ketik-${crypto.randomUUID()}`;
    await requestSignIn(service.url, typed, own);
    await requestSignIn(service.url, company.username, own);
    const outcomes = () => service.output().match(/(?<="outcome":")[a-z-]+(?=".*"sign-in")/g) ?? [];
    await expect.poll(outcomes).toEqual(expect.arrayContaining(['refused', 'signed-in']));
    for (const secret of [typed, company.username, password]) expect(service.output()).not.toContain(secret);
  });

  test('a forged Host appears in no link, redirect, document or form', async () => {
    const cookie = await signInForCookie(service.url, company.username, own);
    const forged =
      'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: http\r\nForwarded: host=evil.example';
    const pages = ['/', '/login', '/owner', '/owner/employees', '/portal', '/docs', '/docs/start.md', '/llms.txt'];
    const targets = [...pages, '/api/v1/openapi.json', '/api/auth/sign-in', '/api/auth/session'];
    const heads = targets.flatMap((path) => ['', `Cookie: ${cookie}\r\n`].map((with_) => ({ path, with_ })));
    await inBatches(heads, async ({ path, with_ }) => {
      const head = `GET ${path} HTTP/1.1\r\n${forged}\r\n${with_}Connection: close\r\n\r\n`;
      const answer = await askRaw(service.url, head);
      expect(answer.status, path).toBeLessThan(500);
      expect(JSON.stringify([...answer.headers]) + answer.body, path).not.toContain('evil.example');
    });
  });

  test('signed out, Next’s own headers and RSC requests give no data and cause no 500', async () => {
    const ways: Record<string, string>[] = [
      { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
      { 'x-middleware-subrequest': 'src/middleware' },
      { 'x-original-url': '/owner', 'x-rewrite-url': '/owner' },
      { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
      { RSC: '1' },
      { RSC: '1', 'Next-Router-Prefetch': '1' },
      { RSC: '1', 'Next-Router-Prefetch': '1', 'Next-Router-Segment-Prefetch': '/_tree' },
      { 'x-nextjs-data': '1', 'x-invoke-path': '/owner', 'x-matched-path': '/owner' },
      { authorization: 'Bearer %E0%A4%A' },
    ];
    const names = /Perusahaan Uji|Pemilik Uji|pemilik-/;
    const cookie = await signInForCookie(service.url, company.username, own);
    expect(await (await get('/owner', { cookie })).text(), 'what is looked for is there for its owner').toMatch(names);
    const guarded = pages.filter((one) => /^\/(?:owner|portal\/)/.test(one));
    const asked = guarded.flatMap((path) => ways.map((headers) => ({ path, headers })));
    await inBatches(asked, async ({ path, headers }) => {
      const first = await get(path, headers);
      const led = first.headers.get('location') ?? '';
      // Next's own requests carry the `_rsc` parameter.
      const answer = led.includes('_rsc') ? await get(led, headers) : first;
      const told = (answer.headers.get('location') ?? '') + (await answer.text());
      expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBeLessThan(500);
      // A prefetch response contains the page's structure and no data.
      if (!headers['Next-Router-Prefetch']) expect(told, `${path} ${JSON.stringify(headers)}`).toMatch(/\/login|^$/);
      expect(told).not.toMatch(names);
    });
  });

  test('unknown actions are refused everywhere, and real ones without a session do nothing', async () => {
    await inBatches(pages, async (path) => {
      const { status } = await call({ id: 'f'.repeat(42) }, {}, own, path);
      expect([404, 409], `${path}: ${status}`).toContain(status);
    });
    expect(builtActions.length).toBeGreaterThan(40);
    await inBatches(builtActions, async (action) => {
      const { status, cookies, text } = await call(action, {}, own);
      expect([action.name, status, cookies]).toEqual([action.name, 200, []]);
      expect(text, action.name).not.toContain('"value":');
    });
  });
});

test('the build has each file that a page may load later', () => {
  expect(missingLateFiles).toEqual([]);
});
