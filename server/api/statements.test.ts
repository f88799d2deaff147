import { beforeAll, expect } from 'vitest';
import { sql, sqlForCalls, sqlForSends } from '#db/client.ts';
import { test } from '#e2e/support/data/test.ts';
import { good, withKey } from '#e2e/support/http/interface.ts';
import { openAdmin } from '#e2e/support/service/databases.ts';
import { answerFetch } from '#server/api/fetch-route.ts';
import { handleNotif } from '#server/api/handle.ts';
import { flushCallLog } from '#server/keys/call-log.ts';
import { generateKey } from '#server/keys/keys.ts';

const pools = () => [sql(), sqlForCalls(), sqlForSends()];
const address = 'http://service.test/api/v1/notif.php';

beforeAll(() => Promise.all(pools().map((pool) => pool`select 1`)));

// Statements of no request: array types of a new connection, the call log, and wake-ups.
const isOfNoRequest = (text: string) => /pg_catalog\.pg_type|insert into (key_uses|alarms)\b|pg_notify/.test(text);

// Returns the statements that the driver sends for this request. Pending writes of earlier requests are flushed first.
async function statementsOf(
  request: Request,
  status = 200,
  answer: typeof answerFetch | typeof answerWhole = answerFetch,
): Promise<string[]> {
  await flushCallLog();
  const sent: string[] = [];
  const drivers = pools().map(({ options }) => options as { debug: unknown });
  for (const driver of drivers) driver.debug = (_: number, text: string) => !isOfNoRequest(text) && sent.push(text);
  const response = await answer(request);
  for (const driver of drivers) driver.debug = undefined;
  expect(response.status).toBe(status);
  return sent;
}

// As the front answers a request whose body came in one packet with its head.
async function answerWhole(request: Request) {
  const body = Buffer.from(await request.arrayBuffer());
  return handleNotif({
    method: request.method,
    search: '',
    address: '203.0.113.7',
    header: (name) => request.headers.get(name),
    hasShortBody: async () => true,
    readBody: async () => body,
  });
}

const get = (key: string, action: string) => new Request(`${address}?aksi=${action}`, { headers: withKey(key) });
const post = (key: string, body: object, more = {}) => {
  const headers = { ...withKey(key), 'Content-Type': 'application/json', ...more };
  return new Request(address, { method: 'POST', headers, body: JSON.stringify(body) });
};

test('a ping takes one statement, which counts the minute; the list of employees takes two', async ({ key }) => {
  expect(await statementsOf(get(key, 'ping'))).toEqual([expect.stringContaining('count_request_')]);
  expect(await statementsOf(get(key, 'karyawan'))).toHaveLength(2);
});

test('a send whose body comes later takes two statements, to one and to everyone', async ({ company, key }) => {
  const [one] = await Promise.all(Array.from({ length: 12 }, () => company.hire()));
  const expected = [expect.stringContaining('count_request_'), expect.stringContaining('send_by_key_')];
  for (const fields of [good, { ...good, user_id: one?.employeeId }])
    for (const _ of ['first', 'again']) {
      const once = { 'Idempotency-Key': 'user_id' in fields ? 'one' : 'everyone' };
      expect(await statementsOf(post(key, fields, once))).toEqual(expected);
    }
});

test('a send that came in one packet takes one statement, refused fields as well', async ({ company, key }) => {
  await company.hire();
  const send = (body: object, status = 200) => statementsOf(post(key, body), status, answerWhole);
  expect(await send(good)).toEqual([expect.stringContaining('count_and_send_')]);
  expect(await send({ ...good, judul: '' }, 400)).toEqual([expect.stringContaining('count_request_')]);
  expect(await send({ ...good, user_id: 2_000_000_000 }, 404)).toHaveLength(1);
});

test('a send wakes the other processes once, however many people it reaches', async ({ company, companyId, key }) => {
  for (let hired = 0; hired < 12; hired++) await company.hire();
  const heard: string[] = [];
  // Not through a pooler, where nothing is heard.
  const admin = openAdmin();
  await admin.listen('notifications', (payload) => heard.push(payload));
  const messages = () => heard.filter((payload) => JSON.parse(payload).includes(companyId)).length;
  for (const sent of [1, 2]) {
    await answerFetch(post(key, good));
    await expect.poll(messages).toBe(sent);
  }
  await admin.end();
});

test('a malformed key takes no statement and no request of a real key (H10, T11)', async ({ key }) => {
  const wrong = [
    ...['jss_', key.slice(0, -1), `${key}0`, key.toUpperCase(), key.toLowerCase(), `jss_${'a'.repeat(64)}`],
    ...[swap(key), `${key.slice(0, 40)}!${key.slice(41)}`, `${key}\u00e9`, `"${key}"`, ''],
  ];
  for (const one of wrong) expect(await statementsOf(get(one, 'ping'), 401), one).toEqual([]);
  expect((await answerFetch(get(key, 'ping'))).headers.get('x-ratelimit-remaining')).toBe('59');
  expect(await statementsOf(get(generateKey(), 'ping'), 401)).toEqual([expect.stringContaining('count_request_')]);
});

// Right but for one letter, which its checksum tells.
const swap = (key: string) => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
