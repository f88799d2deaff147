import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { holdToDocument } from '#e2e/fixtures/documented.ts';
import { readFailureExamples } from '#e2e/fixtures/examples.ts';
import { baseUrl, expectCommon, good } from '#e2e/fixtures/interface.ts';
import { askRaw, leaveAfter } from '#e2e/server/raw.ts';
import { makeCompany } from '#harness/company.ts';

const company = await makeCompany();
const examples = await readFailureExamples();
const path = '/api/v1/notif.php';
const ping = `${path}?aksi=ping`;
const send = async (first: string, headers: string[], body = '') => {
  const answer = await askRaw(
    baseUrl,
    `${first} HTTP/1.1\r\nHost: x\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${body}`,
  );
  expectCommon(answer);
  await holdToDocument(first.split(' ')[0] ?? '', { ...answer, text: answer.body });
  return answer;
};
const keyHeader = async () => `X-API-Key: ${await company.newKey()}`;

test.each(['TRACE', 'PROPFIND', 'REPORT', 'QUERY', 'PUT', 'MKCOL'])(
  'M1, M2: %s with a key is 405 with Allow',
  async (method) => {
    const { status, headers } = await send(`${method} ${ping}`, [await keyHeader()]);
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  },
);

test.each(['TRACE', 'PROPFIND', 'OPTIONS'])('M5: %s without a key is 401', async (method) => {
  expect((await send(`${method} ${ping}`, [])).status).toBe(401);
});

test.each<[string, string]>([
  [
    'Upgrade: h2c, as curl --http2 and Java send it',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
  ],
  [
    'Upgrade: websocket',
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x',
  ],
  ['an odd Expect', 'Expect: 200-maybe'],
  ['RSC', 'RSC: 1\r\nNext-Router-Prefetch: 1'],
  ['Next-Action', 'Next-Action: 0'],
  ['x-middleware-subrequest', 'x-middleware-subrequest: middleware:middleware'],
  ['forwarding headers', 'X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-Host: evil.test\r\nX-HTTP-Method-Override: DELETE'],
  ['conditional headers', 'If-None-Match: *\r\nIf-Modified-Since: Sat, 01 Jan 2028 00:00:00 GMT\r\nRange: bytes=0-1'],
  ['a header named __proto__, twice', '__proto__: a\r\n__proto__: b\r\nconstructor: c'],
  ['odd Accept headers', 'Accept: image/*;q=0\r\nAccept-Encoding: nonsense'],
])('H14–H18, H20, H21: a GET is answered normally with %s', async (_, header) => {
  expect((await send(`GET ${ping}`, [await keyHeader(), header])).status).toBe(200);
});

test('H17: Expect: 100-continue is answered and the body is read', async () => {
  const body = JSON.stringify(good);
  const headers = ['Expect: 100-continue', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  expect((await send(`POST ${path}`, [await keyHeader(), ...headers], body)).status).toBe(200);
});

test('H8: Authorization sent twice is 401 unless both are the same', async () => {
  const [one, two] = [await company.newKey(), await company.newKey()];
  const twice = (first: string, second: string) =>
    send(`GET ${ping}`, [`Authorization: Bearer ${first}`, `Authorization: Bearer ${second}`]);
  expect((await twice(one, one)).status).toBe(200);
  expect((await twice(one, two)).status).toBe(401);
});

test('H9: X-API-Key sent twice is 401', async () => {
  const header = await keyHeader();
  expect((await send(`GET ${ping}`, [header, header])).status).toBe(401);
});

test('B15: two Content-Type headers are 400', async () => {
  const body = JSON.stringify(good);
  const headers = ['Content-Type: application/json', 'Content-Type: text/plain', `Content-Length: ${body.length}`];
  expect((await send(`POST ${path}`, [await keyHeader(), ...headers], body)).status).toBe(400);
});

test.each<[string, string]>([
  ['headers over 16 KiB', `GET ${ping} HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(17_000)}\r\n\r\n`],
  ['a query of 20 KiB', `GET ${ping}&x=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['two Hosts', `GET ${ping} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`],
  ['no Host', `GET ${ping} HTTP/1.1\r\n\r\n`],
  ['a NUL in a header', `GET ${ping} HTTP/1.1\r\nHost: x\r\nX-API-Key: jss_\0\r\n\r\n`],
  ['a blank before the colon', `GET ${ping} HTTP/1.1\r\nHost: x\r\nX-API-Key : jss_\r\n\r\n`],
  ['an unknown method', `FOO ${ping} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a method in lower case', `get ${ping} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a TLS hello on the clear port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  [
    'a compressed body',
    `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`,
  ],
  ['a negative length', `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`],
  ['two lengths', `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
  [
    'a length and chunks',
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
])('H11, H12, H19, M4, P2, B13: what is not well-formed HTTP is 400 with our headers: %s', async (_, bytes) => {
  const answer = await askRaw(baseUrl, Buffer.from(bytes, 'latin1'));
  expect(answer.status).toBe(400);
  expectCommon(answer);
  await holdToDocument(null, { ...answer, text: answer.body });
  expect(JSON.parse(answer.body)).toEqual(examples.request_malformed);
});

test('B13: a body in bad chunks is 400', async () => {
  const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  const answer = await send(`POST ${path}`, [await keyHeader(), ...headers], 'xyz\r\n');
  expect(answer.status).toBe(400);
  expect(answer.ms, 'at once').toBeLessThan(5000);
});

test('B11: a body that does not arrive whole, or a byte a second, is 400 after 10 seconds, and the connection ends', async () => {
  const headers = [await keyHeader(), 'Content-Type: application/json', 'Content-Length: 100'];
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`;
  const dripping = askRaw(baseUrl, head, 20_000, (socket) => {
    const drip = setInterval(() => socket.write(' '), 1000);
    socket.once('close', () => clearInterval(drip));
  });
  for (const answer of await Promise.all([send(`POST ${path}`, headers, '{"judul":'), dripping])) {
    expect([answer.status, JSON.parse(answer.body)]).toEqual([400, examples.body_incomplete]);
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.ms).toBeLessThan(13_000);
  }
});

test('B14: a client that goes away before its answer sent all of it or nothing, and nothing when its body was not whole', async () => {
  const { owner, newKey, hire } = await makeCompany();
  await hire();
  const [header, body] = [`X-API-Key: ${await newKey()}`, JSON.stringify(good)];
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const stored = async () => {
    const [row] = await sql()<{ sends: number; audited: number; last: number }[]>`
      select (select count(*)::int from notifications where company_id = ${owner.companyId}) as sends,
        (select count(*)::int from audit_log where company_id = ${owner.companyId} and action = 'notification.send') as audited,
        (select last_no::int from companies where id = ${owner.companyId}) as last`;
    return row;
  };
  for (const kept of [head, head + body.slice(0, 9), head + body.slice(0, -1)]) await leaveAfter(baseUrl, kept);
  expect((await send(`GET ${ping}`, [header])).status).toBe(200);
  expect(await stored()).toEqual({ sends: 0, audited: 0, last: 0 });
  for (let left = 0; left < 10; left++) await leaveAfter(baseUrl, head + body);
  expect((await send(`GET ${ping}`, [header])).status).toBe(200);
  const { sends = 0, ...others } = (await stored()) ?? {};
  expect(others).toEqual({ audited: sends, last: sends });
});

test('B10: a chunked body larger than 64 KiB is 400 while it still arrives', async () => {
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  const answer = await send(`POST ${path}`, [await keyHeader(), ...headers], chunk + chunk);
  expect((JSON.parse(answer.body) as { code: string }).code).toBe('body_too_large');
});

test('B12: a chunked body with extensions and trailers is read', async () => {
  const body = JSON.stringify(good);
  const chunked = `${body.length.toString(16)};a=b\r\n${body}\r\n0\r\nX-Trailer: 1\r\n\r\n`;
  const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  expect((await send(`POST ${path}`, [await keyHeader(), ...headers], chunked)).status).toBe(200);
});

test('H19, P1: HTTP/1.0 and the absolute form of the address are answered normally', async () => {
  const header = await keyHeader();
  const old = await askRaw(baseUrl, `GET ${ping} HTTP/1.0\r\n${header}\r\n\r\n`);
  expect(old.status).toBe(200);
  expect((await send(`GET http://x${ping}`, [header])).status).toBe(200);
});

test('B13: bytes behind a request do not overtake its answer', async () => {
  const employee = await company.hire();
  const body = JSON.stringify({ ...good, user_id: employee.employeeId });
  const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const answer = await send(`POST ${path}`, [await keyHeader(), ...headers], `${body}  x`);
  expect([answer.status, answer.body]).toEqual([200, '{"ok":true,"terkirim":1}']);
});

test('a page takes no body it cannot need, and none of unknown length', async () => {
  const post = (target: string, header: string, body = '') =>
    askRaw(
      baseUrl,
      `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n${header}\r\n\r\n${body}`,
    );
  expect((await post('/api/auth/sign-in', 'Content-Length: 16385')).status).toBe(413);
  expect((await post('/login', 'Content-Length: 1048577')).status).toBe(413);
  expect((await post('/login', 'Transfer-Encoding: chunked', '0\r\n\r\n')).status).toBe(413);
});

const strayPaths = [
  '/api//v1/notif.php',
  '/api\\v1\\notif.php',
  '/./api/v1/notif.php',
  '/x/../api/v1/notif.php',
  '/%61pi/v1/notif.php',
  '/api',
  '/API',
  '*',
];

test.each([
  ...strayPaths,
  `${path}/`,
  `/${path}`,
  '/API/v1/notif.php',
  '/api/v1/notif.php%00',
  '/api/v1/other',
  '/api/v1/',
])('P1: the address %s is 404 in JSON, never a redirect', async (address) => {
  const { status, headers, body } = await send(`GET ${address}`, [await keyHeader()]);
  expect([status, (JSON.parse(body) as { code: string }).code]).toEqual([404, 'address_unknown']);
  expect(headers.get('link')).toContain('</docs/errors#address_unknown>; rel="help"');
});

test('H22: a session cookie and no key is 401', async () => {
  expect((await send(`GET ${ping}`, ['Cookie: next-auth.session-token=x'])).status).toBe(401);
});

test('T12: a connection whose head never ends is refused after 10 s and gone soon after, though its client goes on sending and reads nothing', async () => {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  socket.write(`GET ${ping} HTTP/1.1\r\nX-Slow: `);
  const sending = setInterval(() => socket.write('a'), 100);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(sending);
}, 25_000);
