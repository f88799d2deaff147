import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { sendTo } from '#e2e/support/http/interface.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { upgrade } from '#e2e/support/http/raw.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

const base = String(process.env.SERVICE_URL);
const path = '/portal/feed?after=0';
let company: Company;
let key: string;
let cookie: string;

beforeEach(async () => {
  company = await makeCompany();
  key = await company.newKey();
  cookie = await openSessionOf(await company.giveAccount(await company.hire()));
});

// Asks for a WebSocket. `socket` is null when the service answered over HTTP.
async function ask(headers: Record<string, string>, method = 'GET', to = path) {
  const asked = request(`${base}${to}`, { method, headers: { ...upgrade, ...headers }, agent: false });
  asked.end();
  const answers = [once(asked, 'upgrade'), once(asked, 'response')];
  const [response, socket = null] = (await Promise.race(answers)) as [IncomingMessage, Socket?];
  if (!socket) response.resume();
  return { status: response.statusCode ?? 0, socket };
}

const own = () => ({ Cookie: cookie, Origin: base });
const poll = async (to = path) => (await openLine(base, false).ask(to, { headers: { Cookie: cookie } })).text;

test('a WebSocket of a page of the service brings what a poll brings, however long it is', async () => {
  const url = `/${'x'.repeat(draftLimits.url - 1)}`;
  let newest = 0;
  // The length of a message is written in 1, 3 or 9 bytes (RFC 6455, section 5.2).
  const limits = [0, 125, 65_535, 1_000_000];
  for (const [index, sends] of [0, 1, 50].entries()) {
    const [above = 0, most = 0] = limits.slice(index);
    for (let send = 0; send < sends; send++)
      expect((await sendTo(base, key, { judul: 'J', isi: 'I', url })).status).toBe(200);
    newest += sends;
    await expect.poll(async () => JSON.parse(await poll()).newest).toBe(newest);
    // Node's client takes headers as well.
    const socket = new WebSocket(base.replace('http', 'ws') + path, { headers: own() } as unknown as string[]);
    const [{ data }] = (await once(socket, 'message')) as [MessageEvent<string>];
    expect(data).toBe(await poll());
    expect(data.length > above && data.length <= most, `${data.length}`).toBe(true);
    socket.close();
    expect((await once(socket, 'close'))[0]).toMatchObject({ wasClean: true });
  }
});

test('a poll says what was sent before it, also when this process has not heard of it', async () => {
  const missedUpTo = async () => JSON.parse(await poll(`${path}&count=1`)).missedUpTo;
  expect(await missedUpTo()).toBe(0);
  await sql()`update companies set last_no = 7 where id = ${company.owner.companyId}`;
  expect(await missedUpTo()).toBe(7);
});

test('an ended session gets 401, and no WebSocket', async () => {
  const { status, socket } = await ask({ Origin: base });
  expect([status, socket]).toEqual([401, null]);
});

test.each([
  ['a foreign origin', { Origin: 'https://example.org' }],
  ['no origin', {}],
  ['an opaque origin', { Origin: 'null' }],
  ['another site', { Origin: base, 'Sec-Fetch-Site': 'cross-site' }],
  ['another version', { Origin: base, 'Sec-WebSocket-Version': '8' }],
  ['another protocol', { Origin: base, Upgrade: 'h2c' }],
])('%s gets no WebSocket, but the plain answer of a poll', async (_, headers) => {
  const { status, socket } = await ask({ Cookie: cookie, ...(headers as Record<string, string>) });
  expect([status, socket]).toEqual([200, null]);
});

test('no other address and no other method is upgraded', async () => {
  expect((await ask(own(), 'GET', '/portal/stream?after=0')).socket).toBeNull();
  expect((await ask(own(), 'GET', '/login')).socket).toBeNull();
  expect((await ask(own(), 'HEAD')).socket).toBeNull();
});

test('an account holds four WebSockets, which end by themselves; further polls are answered over HTTP', async () => {
  const asked = await Promise.all(Array.from({ length: 6 }, () => ask(own())));
  expect(asked.map(({ status }) => status).sort()).toEqual([101, 101, 101, 101, 200, 200]);
  // Their client closes none of them.
  await Promise.all(asked.flatMap(({ socket }) => (socket ? [once(socket.resume(), 'close')] : [])));
  const again = await ask(own());
  expect(again.status).toBe(101);
  await once(again.socket?.resume() as Socket, 'close');
});
