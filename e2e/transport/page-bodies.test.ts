import { expect } from 'vitest';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { askRaw } from '#e2e/support/http/raw.ts';
import { actionNamed } from '#e2e/support/service/build.ts';

const { id } = actionNamed('chooseLanguageAction');
const action = `Next-Action: ${id}`;
const plain = 'Content-Type: text/plain;charset=UTF-8';
const json = 'Content-Type: application/json';
const form = 'Content-Type: multipart/form-data; boundary=b';
const urlencoded = 'Content-Type: application/x-www-form-urlencoded';
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const part = '--b\r\nContent-Disposition: form-data; name="0"\r\n\r\n["id"]\r\n--b--\r\n';

const ask = (line: string, headers: string[], body = '', length = Buffer.byteLength(body)) => {
  const own = [`Host: x`, 'Origin: http://x', `Content-Length: ${length}`];
  return askRaw(baseUrl, `${line} HTTP/1.1\r\n${[...own, ...headers].join('\r\n')}\r\n\r\n${body}`);
};

const bodies: [what: string, path: string, headers: string[], body: string, status: number][] = [
  ['an action as pages send it', '/login', [action, plain], '["id"]', 200],
  ['values that JSON lacks', '/login', [action, plain], '["$undefined","$D2026-01-01T00:00:00.000Z","$$1"]', 200],
  ['one level too deep', '/login', [action, plain], nested(13), 400],
  ['8,000 levels', '/login', [action, plain], nested(8000), 400],
  ['too many values', '/login', [action, plain], `[${'1,'.repeat(4001)}1]`, 400],
  ['a reference to another part', '/login', [action, plain], '["$1"]', 400],
  ['a reference to itself', '/login', [action, plain], '[{"a":"$0"}]', 400],
  ['a reference to an action', '/login', [action, plain], '["$F1"]', 400],
  ['a reference to a form', '/login', [action, plain], '["$K1"]', 400],
  ['a reference, written differently', '/login', [action, plain], '["\\u0024F1"]', 400],
  ['a name that is a reference', '/login', [action, plain], '[{"__proto__":"$1:then"}]', 400],
  ['more arguments than any action has', '/login', [action, plain], `[${'1,'.repeat(1000)}1]`, 400],
  ['no list', '/login', [action, plain], '{"0":"id"}', 400],
  ['no JSON', '/login', [action, plain], '["id"', 400],
  ['nothing', '/login', [action, plain], '', 400],
  ['parts', '/login', [action, form], part, 415],
  ['fields', '/login', [action, urlencoded], '0=id', 415],
  ['parts without an action', '/login', [form], part, 405],
  ['text without an action', '/login', [plain], '["id"]', 405],
  ['an unknown action', '/login', [`Next-Action: ${'0'.repeat(42)}`, plain], '[]', 409],
  ['no action id', '/login', ['Next-Action: x', plain], '[]', 400],
  ['a wide sign-in', '/api/auth/sign-in', [json], `[${'1,'.repeat(40)}1]`, 400],
  ['a deep sign-in', '/api/auth/sign-in', [json], nested(8000), 400],
  ['a sign-in in parts', '/api/auth/sign-in', [form], part, 415],
  ['a sign-out in parts', '/api/auth/sign-out', [form], part, 415],
];

for (const [what, path, headers, body, status] of bodies)
  test(`${path}, ${what}: ${status}`, async () => {
    expect((await ask(`POST ${path}`, [...headers, 'Connection: close'], body)).status).toBe(status);
  });

test('a body that is too large or of unknown length is refused before any of it came', async () => {
  const announced = async (line: string, headers: string[], length: number) => {
    const { status, headers: answered } = await ask(line, headers, '', length);
    return [status, answered.get('connection')];
  };
  expect(await announced('POST /login', [action, plain], 16_385)).toEqual([413, 'close']);
  expect(await announced('POST /login', [action, form], 16_385)).toEqual([413, 'close']);
  expect(await announced('POST /api/auth/sign-in', [json], 16_385)).toEqual([413, 'close']);
  expect(await announced('POST /owner/employees/import/previews', [json], 1_048_577)).toEqual([413, 'close']);
  expect(await announced('GET /login', [], 16_385)).toEqual([413, 'close']);
  for (const method of ['PUT', 'PATCH', 'DELETE', 'POST'])
    expect([method, await announced(`${method} /login`, [plain], 100_000)]).toEqual([method, [405, 'close']]);
  const chunked = ['Host: x', 'Origin: http://x', plain, 'Transfer-Encoding: chunked'].join('\r\n');
  const statuses = { '/login': 405, '/api/auth/sign-in': 413, '/owner/employees/import/previews': 413 };
  for (const [path, status] of Object.entries(statuses)) {
    const answer = await askRaw(baseUrl, `POST ${path} HTTP/1.1\r\n${chunked}\r\n\r\n2\r\n[]\r\n0\r\n\r\n`);
    expect([path, answer.status, answer.headers.get('connection')]).toEqual([path, status, 'close']);
  }
});

test('an action of unknown length has at most 16 KiB', async () => {
  const send = (size: number) => {
    const body = JSON.stringify(['x'.repeat(size - 4)]);
    const headers = ['Host: x', 'Origin: http://x', action, plain, 'Transfer-Encoding: chunked', 'Connection: close'];
    const chunks = `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    return askRaw(baseUrl, `POST /login HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${chunks}`);
  };
  expect((await send(16_000)).status).toBe(200);
  expect((await send(17_000)).status).toBe(400);
});

test('the list of an import is read only after the session of an owner was checked', async ({ company }) => {
  const owner = `Cookie: ${await openSessionOf(company.username)}`;
  const employee = `Cookie: ${await openSessionOf(await company.giveAccount(await company.hire()))}`;
  const line = 'POST /owner/employees/import/previews';
  for (const cookies of [[], [employee], ['Cookie: next-auth.session-token=x']]) {
    const { status, body } = await ask(line, [json, ...cookies, 'Connection: close'], '', 1_000_000);
    expect([cookies.length, status]).toEqual([cookies.length, 401]);
    expect(body).toContain('{"problems":{"form":"session-ended"}}');
  }
  const elsewhere = ['Sec-Fetch-Site: cross-site', json, owner];
  expect((await ask(line, elsewhere, '[[1,"Calon","Staf"]]')).status).toBe(403);
  const headers = { Cookie: owner.slice(8), Origin: baseUrl, 'Content-Type': 'application/json' };
  const put = async (body: string) => {
    const answer = await fetch(`${baseUrl}/owner/employees/import/previews`, { method: 'POST', headers, body });
    return [answer.status, await answer.json()];
  };
  expect(await put('[[1,"Calon","Staf"]]')).toEqual([200, { value: { id: expect.any(String) } }]);
  const rows = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => [at + 1, 'Calon', 'Staf']));
  expect(await put(rows(5000))).toEqual([200, { value: { id: expect.any(String) } }]);
  expect(await put(rows(5001))).toEqual([400, { problems: { form: 'too-many' } }]);
  expect(await put('[]')).toEqual([400, { problems: { form: 'empty' } }]);
  const large = [nested(400_000), `[${'1,'.repeat(400_000)}1]`];
  for (const wrong of ['', '{', '[[1,"a"]]', '[[2,"a","b"],[1,"a","b"]]', ...large])
    expect([wrong.length, await put(wrong)]).toEqual([wrong.length, [400, { problems: { form: 'invalid' } }]]);
});

test('a router state that Next cannot read is 400, and a page of this state is answered', async () => {
  for (const state of ['%', '', '%7B%7D', '[""]', '%5B1%5D', encodeURIComponent('["",{"children":1}]')]) {
    const { status } = await ask('GET /login', ['RSC: 1', `Next-Router-State-Tree: ${state}`, 'Connection: close']);
    expect([state, status]).toEqual([state, 400]);
  }
  const state = encodeURIComponent(JSON.stringify(['', { children: ['login', { children: ['__PAGE__', {}] }] }]));
  const { status } = await ask('GET /login', ['RSC: 1', `Next-Router-State-Tree: ${state}`, 'Connection: close']);
  expect(status).toBeLessThan(400);
});

test('an address is UTF-8 of at most 4,096 characters; redirects have our headers, Next shrinks no image', async () => {
  const statusOf = async (path: string) => (await ask(`GET ${path}`, ['Connection: close'])).status;
  expect(await statusOf('/login?x='.padEnd(4096, 'a'))).toBe(200);
  expect(await statusOf('/login?x='.padEnd(4097, 'a'))).toBe(414);
  expect(await statusOf('/_next/image?url=%2Ficon.svg&w=64&q=75')).toBe(404);
  for (const path of ['/%ff', '/%', '/invite/%ed%a0%80', '/owner/audit/%c0%af', '/docs/%zz'])
    expect([path, await statusOf(path)]).toEqual([path, 400]);
  for (const path of ['/docs/reference//', '/owner/audit\\', '/%5C', '//docs']) {
    const { status, headers } = await ask(`GET ${path}`, ['Connection: close']);
    expect([path, status < 500, headers.get('x-content-type-options')]).toEqual([path, true, 'nosniff']);
  }
});
