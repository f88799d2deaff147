import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { disconnect } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { sendTo } from '#e2e/support/http/interface.ts';
import { numbersIn, openReader, type Reader, signInMany } from '#e2e/support/http/open-streams.ts';
import { ping } from '#e2e/support/http/pings.ts';
import { askRaw, connectTo } from '#e2e/support/http/raw.ts';
import { makeDatabase } from '#e2e/support/service/databases.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';
import { benchSecret, enterDatabase } from '#e2e/support/service/stage.ts';
import { endSession } from '#server/accounts/sessions/sessions.ts';
import { streamLimit } from '#server/feed/limits.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

const mostFiles = 200;
const perAccount = 12;
// Its own database, with a service whose statements are counted and one with few files.
const database = await makeDatabase();
const { admin, url } = database;
await migrate(url);
await enterDatabase(url);
const settings = { DATABASE_URL: url, AUTH_SECRET: benchSecret, HOST: '127.0.0.1' };
const roomy = await startService(settings);
const narrow = await startService(settings, undefined, undefined, mostFiles);
await admin`create extension pg_stat_statements`;
afterAll(async () => {
  await Promise.all([roomy.stop(), narrow.stop(), disconnect()]);
  await database.drop();
});

async function makePortal(people = 1) {
  const company = await makeCompany();
  const key = await company.newKey();
  const cookies = await signInMany(admin, company, people);
  return { company, companyId: company.owner.companyId, key, cookies, cookie: cookies[0] ?? '' };
}

async function send(service: Service, key: string, judul: string): Promise<void> {
  expect((await sendTo(service.url, key, { judul, isi: 'Isi' })).status).toBe(200);
}

// The largest possible notifications, inserted directly because of the rate limit.
async function sendLargest({ owner: { companyId } }: Company, howMany: number): Promise<number> {
  const [title, body] = [draftLimits.title, draftLimits.body].map((limit) => '\u0001'.repeat(limit));
  const path = `/${'x'.repeat(draftLimits.url - 1)}`;
  return admin.begin(async (together) => {
    const [row] =
      await together`update companies set last_no = last_no + ${howMany} where id = ${companyId} returning last_no`;
    const last = Number(row?.last_no);
    await together`insert into notifications (company_id, no, title, body, kind, url, reach, key_id)
      select ${companyId}, n, ${title ?? ''}, ${body ?? ''}, 'info', ${path}, 1, (select id from api_keys where company_id = ${companyId} limit 1)
      from generate_series(${last - howMany + 1}::bigint, ${last}::bigint) n`;
    await together`select pg_notify('notifications', ${JSON.stringify([companyId, last, null])})`;
    return last;
  });
}

/** How many statements the service's role has run on this database. */
async function countStatements(): Promise<number> {
  const [row] = await admin`
    select sum(calls)::int as calls from pg_stat_statements s join pg_database d on d.oid = s.dbid
    where d.datname = current_database() and s.userid <> current_user::regrole`;
  return Number(row?.calls);
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const until = (reader: Reader, part: string) => expect.poll(reader.text, { timeout: 20_000 }).toContain(part);

test('a process short of files refuses streams, logs it once and answers all else (X15)', async () => {
  const most = streamLimit(mostFiles);
  const { key, cookies } = await makePortal(Math.ceil(most / perAccount) + 1);
  const open: Reader[] = [];
  for (let next = 0; next < most; next++)
    open.push(await openReader(narrow.url, cookies[Math.floor(next / perAccount)] ?? ''));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));

  const late = { headers: { cookie: cookies.at(-1) ?? '' } };
  for (let round = 0; round < 20; round++) {
    const refused = await fetch(`${narrow.url}/portal/stream?after=0`, late);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await refused.json()).toEqual({ ok: false, code: 'streams_full' });
  }
  await expect.poll(() => narrow.output().match(/limit of open streams/g)).toHaveLength(1);

  for (let round = 0; round < 20; round++) expect((await ping(narrow.url, key)).status).toBe(200);
  expect((await fetch(`${narrow.url}/login`)).status).toBe(200);
  expect((await fetch(`${narrow.url}/portal/feed?after=0`, late)).status).toBe(200);
  await send(narrow, key, 'Kepada semua');
  for (const reader of open) await until(reader, '"Kepada semua"');

  open.pop()?.leave();
  const openAgain = async () => {
    const again = await openReader(narrow.url, cookies.at(-1) ?? '');
    again.leave();
    return again.status;
  };
  await expect.poll(openAgain).toBe(200);
  for (const reader of open) reader.leave();
});

test('a client that does not read is dropped and catches up by Last-Event-ID (X17)', async () => {
  const { company, cookie, cookies } = await makePortal(2);
  const [idle, busy] = [await openReader(roomy.url, cookie), await openReader(roomy.url, cookies[1] ?? '')];
  for (const reader of [idle, busy]) await until(reader, 'event: ping');
  idle.response.pause();
  let last = 0;
  for (let batch = 0; batch < 15; batch++) {
    last = await sendLargest(company, 100);
    await until(busy, `\nid: ${last}\n`);
  }
  expect(numbersIn(busy.text())).toEqual(upTo(last));

  idle.response.resume();
  await idle.closed;
  const received = numbersIn(idle.text());
  expect(received).toEqual(upTo(received.length));
  expect(received.length).toBeLessThan(last);
  const again = await openReader(roomy.url, cookie, { lastEventId: String(received.length) });
  await until(again, `\nid: ${last}\n`);
  expect(numbersIn(again.text())).toEqual(upTo(last).slice(received.length));
  for (const reader of [busy, again]) reader.leave();
});

test('the backlog of a client that does not read is not loaded into memory (X17)', async () => {
  const { company, cookie } = await makePortal();
  const past = 4500;
  for (let batch = 0; batch < past / 100; batch++) await sendLargest(company, 100);
  const before = await countStatements();
  const openPaused = () => openReader(roomy.url, cookie, { paused: true });
  const idle = await Promise.all(Array.from({ length: perAccount }, openPaused));
  // The service ends the streams of a client that does not read; the reconciliation alone goes on.
  let counted = 0;
  const countNew = async () => {
    const before = counted;
    counted = await countStatements();
    return counted - before;
  };
  await expect.poll(countNew, { interval: 1000, timeout: 30_000 }).toBeLessThan(3);
  // Reading all of it takes two statements per page of 50. The sockets take the first quarter.
  expect((await countStatements()) - before).toBeLessThan((perAccount * 2 * past) / 50 / 2);
  for (const reader of idle) reader.leave();
});

test('an HTTP/1.0 client gets the same events without chunks', async () => {
  const { key, cookie } = await makePortal();
  await send(roomy, key, 'Kepada proksi');
  const socket = connectTo(roomy.url).setEncoding('utf8');
  let text = '';
  socket.on('data', (part: string) => (text += part));
  socket.write(`GET /portal/stream?after=0 HTTP/1.0\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`);
  await expect.poll(() => text, { timeout: 20_000 }).toContain('event: ping');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head).toMatch(/^connection: close$/im);
  expect(head).not.toMatch(/transfer-encoding/i);
  expect(body).toMatch(
    /^: open\n\nevent: missed\ndata: 1\n\nid: 1\ndata: \{.*"Kepada proksi".*\}\n\nevent: ping\nid: 1\ndata: 1\n\n/,
  );
  socket.destroy();
});

test('a closed connection is noticed at once, also with unread bytes', async () => {
  const { cookie } = await makePortal();
  for (let round = 0; round < 3 * perAccount; round++) {
    const socket = connectTo(roomy.url, { allowHalfOpen: true }).setEncoding('utf8');
    socket.write(`GET /portal/stream?after=0 HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`);
    expect((await once(socket, 'data'))[0]).toMatch(/^HTTP\/1\.1 200 /);
    const closed = once(socket, 'close');
    socket.end('GET /portal/stream?after=0 HTTP/1.1\r\n\r\n');
    await closed;
  }
});

test('a sign-out checks all cached sessions of the company with one query', async () => {
  const { companyId, cookie, cookies } = await makePortal(200);
  const poll = async (cookie: string) =>
    (await fetch(`${roomy.url}/portal/feed?after=0`, { headers: { cookie } })).status;
  const pollAll = () => Promise.all(cookies.map(poll));
  const stream = await openReader(roomy.url, cookie);
  expect(new Set(await pollAll())).toEqual(new Set([200]));
  const [session] =
    await admin`select id, account_id from sessions where company_id = ${companyId} order by account_id limit 1`;
  const before = await countStatements();
  await endSession({ companyId, accountId: Number(session?.account_id) }, Number(session?.id));
  await stream.closed;
  expect(stream.text()).toContain('event: ended');
  await expect.poll(pollAll).toEqual([401, ...cookies.slice(1).map(() => 200)]);
  // One check per session would be 200.
  expect((await countStatements()) - before).toBeLessThan(100);
});

test('idle portals cost no query, those that open together few; a broadcast costs the same for any number', async () => {
  const { key, cookie, cookies } = await makePortal(20);
  // Sent while nobody reads, as before a restart.
  await send(roomy, key, 'Sebelumnya.');
  const open = [await openReader(roomy.url, cookie)];
  const costOf = async (judul: string) => {
    for (const reader of open) await until(reader, 'event: ping');
    const before = await countStatements();
    for (let sent = 1; sent <= 5; sent++) {
      await send(roomy, key, `${judul} ${sent}.`);
      for (const reader of open) await until(reader, `"${judul} ${sent}."`);
    }
    return (await countStatements()) - before;
  };
  const one = await costOf('Kepada satu');
  const before = await countStatements();
  open.push(...(await Promise.all(cookies.slice(1).map((cookie) => openReader(roomy.url, cookie)))));
  for (const reader of open) for (const judul of ['Sebelumnya.', 'Kepada satu 5.']) await until(reader, `"${judul}"`);
  // One statement reads all sessions, and the feed holds what these people missed. Otherwise it would be 76.
  expect((await countStatements()) - before).toBeLessThan(19);
  const many = await costOf('Kepada banyak');
  // Two statements per send and one feed update; sweeps add some. One per stream would be 95 more.
  expect(one).toBeGreaterThanOrEqual(5 * 3);
  expect(many - one).toBeLessThan(50);

  const costOfPolls = async () => {
    const before = await countStatements();
    for (let round = 0; round < 10; round++)
      for (const cookie of cookies) await fetch(`${roomy.url}/portal/feed?after=11`, { headers: { cookie } });
    return (await countStatements()) - before;
  };
  // Of 200 polls; the reconciliation runs meanwhile. While it is late, on a busy machine, each poll reads the database.
  await expect.poll(costOfPolls).toBeLessThan(100);
  for (const reader of open) reader.leave();
});

test('a poll returns what is after a number; streams are neither stored nor buffered on the way', async () => {
  const { key, cookie } = await makePortal();
  for (const title of ['Satu', 'Dua', 'Tiga']) await send(roomy, key, title);
  const poll = (after: string) => fetch(`${roomy.url}/portal/feed?after=${after}`, { headers: { cookie } });
  const answer = await poll('1');
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(await answer.json()).toMatchObject({ newest: 3, items: [{ title: 'Dua' }, { title: 'Tiga' }] });
  for (const after of ['', '-1', '1.5', 'x', '1e3', '9'.repeat(16)])
    expect([after, (await poll(after)).status]).toEqual([after, 400]);
  const { response, leave } = await openReader(roomy.url, cookie);
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
    'cache-control': expect.stringContaining('no-transform'),
  });
  leave();
});

test('a broadcast during an inactive time is not delivered, even right after reactivation', async () => {
  const { companyId, key, cookie } = await makePortal();
  const stream = await openReader(roomy.url, cookie);
  await until(stream, 'event: ping');
  // In one transaction, so that the inactive time is never visible.
  await admin.begin(async (together) => {
    await together`update companies set access_no = access_no + 2, last_no = last_no + 1 where id = ${companyId}`;
    const [span] =
      await together`update employment set until_no = 0 where company_id = ${companyId} returning employee_id`;
    await together`insert into notifications (company_id, no, title, body, kind, reach, key_id)
      select company_id, 1, 'Bukan untuk Anda', 'x', 'info', 1, id from api_keys where company_id = ${companyId}`;
    await together`insert into employment (company_id, employee_id, from_no) values (${companyId}, ${span?.employee_id}, 1)`;
  });
  await send(roomy, key, 'Untuk Anda');
  // The stream ends; after reconnecting, the inbox query decides by spans.
  await stream.closed;
  expect(stream.text()).not.toContain('Bukan untuk Anda');
  const again = await openReader(roomy.url, cookie);
  await until(again, '"Untuk Anda"');
  expect(numbersIn(again.text())).toEqual([2]);
  again.leave();
});

test('a change on one device reaches the streams of that person’s other devices, and no other stream', async () => {
  const { companyId, key, cookie } = await makePortal();
  const stream = await openReader(roomy.url, cookie);
  await until(stream, 'event: ping');
  const [own] = await admin<{ employeeId: number; sessionId: number }[]>`
    select e.id as "employeeId", s.id as "sessionId"
    from sessions s join employees e using (company_id, account_id) where company_id = ${companyId}`;
  const { employeeId = 0, sessionId = 0 } = own ?? {};
  // Notifies as another process does, between two companies that have news.
  const tell = (changes: object, text: string) => {
    const move = { companyId, employeeId, sessionId: sessionId + 1, ...changes, text };
    return admin.notify('notifications', JSON.stringify([companyId, move, 999, 'another process']));
  };
  await tell({ sessionId }, '{"own":true}');
  await tell({ employeeId: employeeId + 1 }, '{"colleague":true}');
  await tell({ companyId: companyId + 1 }, '{"stranger":true}');
  await tell({}, '{"moved":true}');
  await until(stream, '{"moved":true}');
  expect(stream.text()).toMatch(/event: moved\nid: \d+\ndata: \{"moved":true\}\n\n/);
  expect(stream.text()).not.toMatch(/own|colleague|stranger/);
  // The stream goes on from the same number.
  await send(roomy, key, 'Sesudah pindah');
  await until(stream, 'Sesudah pindah');
  stream.leave();
});

test('a stream request that announces a body is refused at once', async () => {
  const head = `GET /portal/stream?after=0 HTTP/1.1\r\nHost: ${new URL(roomy.url).host}\r\n`;
  for (const announced of ['Content-Length: 10', 'Transfer-Encoding: chunked']) {
    const answer = await askRaw(roomy.url, `${head}${announced}\r\n\r\n`, 5000);
    expect([announced, answer.status, answer.headers.get('connection')]).toEqual([announced, 413, 'close']);
  }
});
