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

// Malformed requests of every kind: e2e/server/input.
test('bytes that are not HTTP get the documented sentence, with our headers', async () => {
  const answer = await askRaw(baseUrl, `GET ${ping} HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(17_000)}\r\n\r\n`);
  expectCommon(answer);
  expect([answer.status, JSON.parse(answer.body)]).toEqual([400, examples.request_malformed]);
});

test('an unknown address below /api/ links to its explanation', async () => {
  const { status, headers } = await send('GET /api/v1/other', []);
  expect(status).toBe(404);
  expect(headers.get('link')).toContain('</docs/errors#address_unknown>; rel="help"');
});

test('a body in malformed chunks gets 400 at once (B13)', async () => {
  const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  const answer = await send(`POST ${path}`, [await keyHeader(), ...headers], 'xyz\r\n');
  expect(answer.status).toBe(400);
  expect(answer.ms).toBeLessThan(5000);
});

test('an incomplete body gets 400 after 10 seconds, and the connection closes (B11)', async () => {
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

test('a client that leaves early sent everything or nothing (B14)', async () => {
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

test('bytes behind a request do not overtake its answer (B13)', async () => {
  const employee = await company.hire();
  const body = JSON.stringify({ ...good, user_id: employee.employeeId });
  const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const answer = await send(`POST ${path}`, [await keyHeader(), ...headers], `${body}  x`);
  expect([answer.status, answer.body]).toEqual([200, '{"ok":true,"terkirim":1}']);
});

test('a page refuses bodies that are too large or of unknown length', async () => {
  const post = (target: string, header: string, body = '') =>
    askRaw(
      baseUrl,
      `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n${header}\r\n\r\n${body}`,
    );
  expect((await post('/api/auth/sign-in', 'Content-Length: 16385')).status).toBe(413);
  expect((await post('/login', 'Content-Length: 1048577')).status).toBe(413);
  expect((await post('/login', 'Transfer-Encoding: chunked', '0\r\n\r\n')).status).toBe(413);
});

test('a connection whose head never ends is closed after 10 s, while its client still sends (T12)', async () => {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  socket.write(`GET ${ping} HTTP/1.1\r\nX-Slow: `);
  const sending = setInterval(() => socket.write('a'), 100);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(sending);
}, 25_000);
