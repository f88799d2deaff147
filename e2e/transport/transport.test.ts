import { once } from 'node:events';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { words } from '#e2e/support/data/random.ts';
import { test } from '#e2e/support/data/test.ts';
import { holdToDocument, readFailureExamples } from '#e2e/support/http/documented.ts';
import { countStored } from '#e2e/support/http/input-table.ts';
import { baseUrl, expectCommon, good } from '#e2e/support/http/interface.ts';
import { type LineAnswer, openLine } from '#e2e/support/http/line.ts';
import { askRaw, drip } from '#e2e/support/http/raw.ts';
import { inBatches } from '#e2e/support/running.ts';
import { actionNamed } from '#e2e/support/service/build.ts';
import { addresses } from '#e2e/tenancy/addresses.ts';
import { addMyself } from '#server/employees/employees.ts';

const company = await makeCompany();
const examples = await readFailureExamples();
const path = '/api/v1/notif.php';
const ping = `${path}?aksi=ping`;
const send = async (first: string, headers: string[], body = '') => {
  const head = [`${first} HTTP/1.1`, 'Host: x', ...headers].join('\r\n');
  const answer = await askRaw(baseUrl, `${head}\r\n\r\n${body}`);
  expectCommon(answer);
  await holdToDocument(first.split(' ')[0] ?? '', { ...answer, text: answer.body });
  return answer;
};
const keyHeader = async () => `X-API-Key: ${await company.newKey()}`;

// Malformed requests of every kind: e2e/transport/input.test.ts.
test('bytes that are not HTTP get the documented sentence, with our headers', async () => {
  const answer = await askRaw(baseUrl, `GET ${ping} HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(17_000)}\r\n\r\n`);
  expectCommon(answer);
  expect([answer.status, JSON.parse(answer.body)]).toEqual([400, examples.request_malformed]);
});

test.each([
  ['GET / HTTP/1.1\r\nHost: x\r\nX-API-Key: a\rb\r\n\r\n', 'a header has a line break'],
  ['GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 'exactly one Host'],
  ['GET / HTTP/9.9\r\nHost: x\r\n\r\n', 'its first line'],
  ['\x16\x03\x01\x02\x00', 'https came where http'],
  [`POST ${ping} HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n`, 'its Content-Length'],
])('the sentence about %j says which of its causes it is', async (bytes, cause) => {
  const { body } = await askRaw(baseUrl, bytes);
  expect(JSON.parse(body)).toMatchObject({ code: 'request_malformed', error: expect.stringContaining(cause) });
});

test('an unknown address below /api/ links to its explanation, and counts nothing for a key', async () => {
  const key = await keyHeader();
  const { status, headers, body } = await send('GET /api/v1/other', [key]);
  expect([status, JSON.parse(body).error]).toEqual([404, expect.stringContaining(path)]);
  expect(headers.get('link')).toContain('</docs/errors#address_unknown>; rel="help"');
  expect(headers.get('x-ratelimit-remaining')).toBeNull();
  expect((await send(`GET ${ping}`, [key])).headers.get('x-ratelimit-remaining')).toBe('59');
  const guess = await askRaw(baseUrl, `HEAD /notif.php HTTP/1.1\r\nHost: x\r\n${key}\r\nConnection: close\r\n\r\n`);
  expectCommon(guess);
  expect(guess.status).toBe(404);
});

test('a program that posts to a page is told the address of the interface', async () => {
  const head = `POST /notifications HTTP/1.1\r\nHost: ${new URL(baseUrl).host}\r\n${await keyHeader()}\r\nContent-Length: 0\r\n\r\n`;
  const { status, body } = await askRaw(baseUrl, head);
  expect([status, body]).toEqual([403, expect.stringContaining(path)]);
});

// These wait for deadlines, so they wait together.
test.concurrent('the connection of a known client outlives that of a stranger, which is closed after 5 s', async () => {
  const [known, proxied, stranger] = [openLine(baseUrl), openLine(baseUrl), openLine(baseUrl)];
  const keyed = { headers: { 'X-API-Key': await company.newKey() } };
  const forwarded = { headers: { 'X-Forwarded-For': '192.0.2.1' } };
  const announced = async (answer: Promise<LineAnswer>) => (await answer).headers['keep-alive'];
  expect(await announced(known.ask(ping, keyed))).toBe('timeout=75');
  expect(await announced(proxied.ask(ping, forwarded))).toBe('timeout=75');
  const strange = await stranger.open(ping);
  expect(strange.headers['keep-alive']).toBe('timeout=5');
  strange.resume();
  await once(strange.socket, 'close');
  expect((await stranger.ask(ping)).reused).toBe(false);
  expect((await known.ask(ping, keyed)).reused).toBe(true);
  expect((await proxied.ask(ping, forwarded)).reused).toBe(true);
  for (const line of [known, proxied, stranger]) line.close();
});

test.concurrent('an incomplete body gets 400 after 10 seconds, and the connection closes (B11)', async () => {
  const headers = [await keyHeader(), 'Content-Type: application/json', 'Content-Length: 100'];
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`;
  const dripping = askRaw(baseUrl, head, 20_000, drip(' '));
  for (const answer of await Promise.all([send(`POST ${path}`, headers, '{"judul":'), dripping])) {
    expect([answer.status, JSON.parse(answer.body)]).toEqual([400, examples.body_incomplete]);
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.ms).toBeLessThan(20_000);
  }
});

const action = actionNamed('setupAction').id;
const own = `Origin: ${baseUrl}`;
const text = 'Content-Type: text/plain;charset=UTF-8';
const form = 'Content-Type: application/x-www-form-urlencoded';

// Every kind of address, with the status for a body of a byte a second.
const slowBodies: [string, string, string[], number][] = [
  ['POST', path, ['Content-Type: application/json'], 400],
  ['POST', '/login', [own, text, `Next-Action: ${action}`], 408],
  ['POST', '/setup', [own, text, `Next-Action: ${action}`], 408],
  ['POST', '/api/auth/sign-out', [own, text], 204],
  ['POST', '/api/auth/sign-in', [own, form], 408],
  ['POST', '/api/auth/signin/credentials', [own, form], 404],
  ['GET', '/health/live', [], 200],
  ['GET', '/portal/feed', [], 401],
  ['GET', '/login', [], 413],
  ['GET', '/icon.svg', [], 413],
];

// Writes a byte a second after `first`, until the connection is closed.
const dripAfter = (first: string, byte = ' ') => askRaw(baseUrl, first, 60_000, drip(byte), () => false);

test.concurrent('a body of a byte a second is ended within 30 seconds at every kind of address', async () => {
  const key = await keyHeader();
  const ended = slowBodies.map(async ([method, target, headers, status]) => {
    const all = [`${method} ${target} HTTP/1.1`, `Host: ${new URL(baseUrl).host}`, 'Content-Length: 1000', ...headers];
    if (target === path) all.push(key);
    const { received, ms } = await dripAfter(`${all.join('\r\n')}\r\n\r\n`);
    const heads = received.match(/^HTTP\/1\.1 \d+/gm) ?? [];
    if (status === 408) expect(received, target).toMatch(/\r\nConnection: close\r\n/i);
    return { target, heads, isLong: ms >= 30_000, status };
  });
  expect(await Promise.all(ended)).toEqual(
    slowBodies.map(([, target, , status]) => ({ target, heads: [`HTTP/1.1 ${status}`], isLong: false, status })),
  );
});

test.concurrent('an idle connection is closed without a response, a head that does not end gets 400 (T12)', async () => {
  const get = 'GET /health/live HTTP/1.1\r\nHost: x\r\n';
  const asked = [dripAfter('', ''), dripAfter(get, ''), dripAfter(`${get}X-Slow: `, 'a'), dripAfter(`${get}\r\n`, '')];
  const all = await Promise.all(asked);
  const statuses = all.map(({ received }) => received.match(/(?<=^HTTP\/1\.1 )\d+/gm) ?? []);
  expect(statuses).toEqual([[], ['400'], ['400'], ['200']]);
  for (const { ms } of all) expect(ms).toBeLessThan(30_000);
});

test('a page whose body is not HTTP, or whose client stops sending, gets 400 at once', async () => {
  const head = `POST /setup HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\n${text}\r\nNext-Action: ${action}\r\n`;
  const answer = await askRaw(baseUrl, `${head}Content-Length: 100\r\n\r\n[`, 20_000, (socket) => socket.end());
  expect([answer.status, answer.headers.get('connection')]).toEqual([400, 'close']);
});

test('a client that leaves early sent everything or nothing (B14)', async ({ company }) => {
  await company.hire();
  const [header, body] = [`X-API-Key: ${await company.newKey()}`, JSON.stringify(good)];
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const leaveAfter = (bytes: string) => askRaw(baseUrl, bytes, 20_000, (socket) => socket.destroySoon());
  for (const kept of [head, head + body.slice(0, 9), head + body.slice(0, -1)]) await leaveAfter(kept);
  expect((await send(`GET ${ping}`, [header])).status).toBe(200);
  expect(await countStored(company)).toEqual([0, 0, 0]);
  for (let left = 0; left < 10; left++) await leaveAfter(head + body);
  expect((await send(`GET ${ping}`, [header])).status).toBe(200);
  const [sends, ...others] = await countStored(company);
  expect(others).toEqual([sends, sends]);
});

test('a client that closes its side after its request gets the answer', async ({ company, companyId }) => {
  await company.hire();
  const body = JSON.stringify(good);
  const key = `X-API-Key: ${await company.newKey()}`;
  const post = [`POST ${path}`, key, 'Content-Type: application/json', `Content-Length: ${body.length}`] as const;
  const answers = [
    [post, body, '{"ok":true,"terkirim":1}'],
    [[`GET ${ping}`, key], '', '"ok":true'],
    [['GET /docs/start.md'], '', '```sh'],
  ] as const;
  for (const [[first, ...headers], sent, expected] of answers) {
    const head = [`${first} HTTP/1.1`, 'Host: x', ...headers].join('\r\n');
    const answer = await askRaw(baseUrl, `${head}\r\n\r\n${sent}`, 20_000, (socket) => socket.end());
    expect([first, answer.status, answer.body]).toEqual([first, 200, expect.stringContaining(expected)]);
    expect(answer.closed).toBe(true);
  }
  expect(await sql()`select no from notifications where company_id = ${companyId}`).toHaveLength(1);
});

test('bytes behind a request do not overtake its answer (B13)', async () => {
  const employee = await company.hire();
  const body = JSON.stringify({ ...good, user_id: employee.employeeId });
  const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const answer = await send(`POST ${path}`, [await keyHeader(), ...headers], `${body}  x`);
  expect([answer.status, answer.body]).toEqual([200, '{"ok":true,"terkirim":1}']);
});

const oddQueries = words(`
  %00 %ff %ed%a0%80 % %25 _ %5C ' %F0%9F%98%80 %E2%80%AE 1e9 -1 99999999999999999999 2026-02-31 %00&q=%00
  ${'x'.repeat(5000)}
`);
const pages: [who: 'owner' | 'employee', path: string, names: string[]][] = [
  ['owner', '/owner/employees', ['q', 'state', 'choose', 'before', 'page', 'after']],
  ['owner', '/owner/employees/csv', ['q']],
  ['owner', '/owner/sends', ['search', 'sender', 'employee', 'days', 'from', 'before']],
  ['owner', '/owner/sends/csv', ['search', 'to']],
  ['owner', '/owner/audit', ['employee', 'request', 'who', 'before', 'from']],
  ['owner', '/owner/audit/csv', ['employee', 'request', 'to']],
  ['owner', '/owner/audit/refused', ['before', 'key']],
  ['owner', '/owner/keys', ['id', 'key', 'tab']],
  ['employee', '/portal/notifications', ['search', 'kind', 'filter']],
  ['employee', '/portal/inbox', ['search', 'before', 'limit']],
  ['employee', '/portal/feed', ['after', 'tab']],
];

test('no letters in the path or the query of a page make it fail (P2, F5)', async ({ company }) => {
  await addMyself(company.owner, 'Pemilik');
  const owner = await openSessionOf(company.username);
  const employee = await openSessionOf(await company.giveAccount(await company.hire()));
  const queryOf = (names: string[], value: string) => names.map((name) => `${name}=${value}`).join('&');
  const names = words('lang returnTo origin q search problem invited employee key request who known');
  const anywhere = words('日 %E6%97%A5%0d%0aX:%20y %00').flatMap((letters) =>
    Object.keys(addresses).flatMap((pattern) => {
      const target = `${pattern.replace(/\[+[^\]]*\]+/g, letters)}?${queryOf(names, letters)}`;
      return ['', owner].map((cookie) => ({ target, cookie, isOfPage: false }));
    }),
  );
  const ofPages = pages.flatMap(([who, path, names]) =>
    oddQueries.map((value) => {
      const cookie = who === 'owner' ? owner : employee;
      return { target: `${path}?${queryOf(names, value)}`, cookie, isOfPage: true };
    }),
  );
  await inBatches([...anywhere, ...ofPages], async ({ target, cookie, isOfPage }) => {
    const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`;
    const { status, body } = await askRaw(baseUrl, head);
    const told = `${status} ${target.slice(0, 60)}`;
    if (!isOfPage) return expect(status < 500 || target.startsWith('/health/'), told).toBe(true);
    expect([200, 400, 404, 414], told).toContain(status);
    expect(body, told).not.toMatch(/PostgresError|invalid byte sequence|\bat \w+ \(/);
  });
});
