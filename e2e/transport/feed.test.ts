import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { signInForCookie } from '#e2e/support/http/cookie.ts';
import { freePort, type Service, startService } from '#e2e/support/service/service.ts';

const folders: string[] = [];
const openedStreams = new Set<Stream>();
let database: Awaited<ReturnType<typeof startEmbedded>>;
let service: Service;
let admin: postgres.Sql;
let cookie: string;
let key: string;

// Its own database and service, because it changes rows and ends connections as an administrator.
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-feed-'));
  folders.push(folder);
  database = await startEmbedded(folder);
  const secret = 'y'.repeat(40);
  service = await startService({ DATABASE_URL: database.url, AUTH_SECRET: secret, HOST: '127.0.0.1' });
  admin = postgres(database.url, { max: 1, onnotice: () => {} });
  const made = await fill(secret);
  key = made.key;
  cookie = await signInForCookie(service.url, made.username);
});

afterAll(async () => {
  await admin?.end();
  await service?.stop();
  await database?.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

// An account has few streams: those that a failed test left open would fail the next ones.
afterEach(() => {
  for (const stream of openedStreams) stream.close();
  openedStreams.clear();
});

// Runs domain functions in another process; this one uses the shared test database.
async function fill(secret: string): Promise<{ username: string; key: string }> {
  const script = `
    const { makeCompany } = await import('#e2e/support/data/company.ts');
    const company = await makeCompany('Perusahaan Umpan');
    const username = await company.giveAccount(await company.hire());
    console.log(JSON.stringify({ username, key: await company.newKey() }));
    process.exit(0);`;
  const made = await startService(
    { DATABASE_URL: database.url, AUTH_SECRET: secret },
    ['--input-type=module', '-e', script],
    /\}\n/,
  );
  return JSON.parse(made.output().trim().split('\n').at(-1) ?? '') as { username: string; key: string };
}

const poll = async (after: number, more = '') => {
  const response = await fetch(`${service.url}/portal/feed?after=${after}${more}`, { headers: { cookie } });
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  return {
    status: response.status,
    body: (await response.json()) as { newest: number; items: { no: number; title: string }[] },
  };
};
const send = async (judul: string) => {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const response = await fetch(`${service.url}/api/v1/notif.php`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ judul, isi: 'Isi' }),
  });
  expect(response.status).toBe(200);
};

type Stream = { text: () => string; until: (part: string) => Promise<void>; closed: Promise<void>; close: () => void };

async function openStream(after: number, headers: Record<string, string> = {}): Promise<Stream> {
  const controller = new AbortController();
  const open = () =>
    fetch(`${service.url}/portal/stream?after=${after}`, {
      headers: { cookie, ...headers },
      signal: controller.signal,
    });
  let response = await open();
  // The service may still count streams that the test before closed.
  const tryAgain = async () => {
    if (response.status === 503) response = await open();
    return response.status;
  };
  await expect.poll(tryAgain, { timeout: 15_000 }).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  expect(response.headers.get('cache-control')).toContain('no-transform');
  let text = '';
  const closed = (async () => {
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) text += decoder.decode(part, { stream: true });
  })().catch(() => {});
  const stream: Stream = {
    text: () => text,
    until: (part) => expect.poll(() => text, { timeout: 15_000 }).toContain(part),
    closed,
    close: () => controller.abort(),
  };
  openedStreams.add(stream);
  return stream;
}

const numbers = (text: string) => [...text.matchAll(/^id: (\d+)\ndata: \{/gm)].map((match) => Number(match[1]));

test('polls and streams return what is after a number, once and in order; Last-Event-ID resumes', async () => {
  const { newest } = (await poll(0)).body;
  const stream = await openStream(newest);
  for (const judul of ['Satu', 'Dua', 'Tiga']) await send(judul);
  await stream.until('"Tiga"');
  expect(numbers(stream.text())).toEqual([newest + 1, newest + 2, newest + 3]);
  expect((await poll(newest)).body.items.map(({ title }) => title)).toEqual(['Satu', 'Dua', 'Tiga']);
  const resumed = await openStream(0, { 'Last-Event-ID': String(newest + 1) });
  await resumed.until('"Tiga"');
  expect(numbers(resumed.text())).toEqual([newest + 2, newest + 3]);
  const whole = await openStream(0);
  await whole.until('"Tiga"');
  expect(numbers(whole.text())).toEqual(Array.from({ length: newest + 3 }, (_, index) => index + 1));
});

test('a broadcast during an inactive time is not delivered, even right after reactivation', async () => {
  const { newest } = (await poll(0)).body;
  const stream = await openStream(newest);
  await stream.until('event: ping');
  const [person] = await admin`select company_id, id from employees order by id limit 1`;
  const [company, employee] = [Number(person?.company_id), Number(person?.id)];
  // In one transaction, so that the inactive time is never visible.
  await admin.begin(async (together) => {
    await together`update companies set access_no = access_no + 2, last_no = last_no + 1 where id = ${company}`;
    await together`update employment set until_no = ${newest} where company_id = ${company} and employee_id = ${employee} and until_no is null`;
    await together`insert into notifications (company_id, no, title, body, kind, reach, key_id)
      select company_id, ${newest + 1}, 'Bukan untuk Anda', 'x', 'info', 1, id from api_keys where company_id = ${company} limit 1`;
    await together`insert into employment (company_id, employee_id, from_no) values (${company}, ${employee}, ${newest + 1})`;
  });
  await send('Untuk Anda');
  // The stream ends; after reconnecting, the inbox query decides by spans.
  await stream.closed;
  expect(stream.text()).not.toContain('Bukan untuk Anda');
  await expect.poll(async () => (await poll(newest)).body.items.map(({ title }) => title)).toEqual(['Untuk Anda']);
});

test('no session, a malformed number or another employee’s page: refused', async () => {
  for (const path of ['/portal/feed?after=0', '/portal/stream?after=0']) {
    expect((await fetch(service.url + path)).status).toBe(401);
    expect((await fetch(service.url + path, { headers: { cookie: `${cookie}x` } })).status).toBe(401);
    expect((await fetch(`${service.url}${path}&person=1:999`, { headers: { cookie } })).status).toBe(401);
  }
  for (const after of ['', '-1', '1.5', 'x', '1e3', '9'.repeat(16)])
    expect((await fetch(`${service.url}/portal/feed?after=${after}`, { headers: { cookie } })).status).toBe(400);
});

test('an account may hold 12 streams; the next one gets 503 with Retry-After', async () => {
  const streams = await Promise.all(Array.from({ length: 12 }, () => openStream(0)));
  const refused = await fetch(`${service.url}/portal/stream?after=0`, { headers: { cookie } });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  for (const one of streams) one.close();
  await expect
    .poll(async () => {
      const again = new AbortController();
      const { status } = await fetch(`${service.url}/portal/stream?after=0`, {
        headers: { cookie },
        signal: again.signal,
      });
      again.abort();
      return status;
    })
    .toBe(200);
});

test('a stop sends each stream a retry time and does not wait for streams (X8)', async () => {
  const port = await freePort();
  const another = await startService({
    DATABASE_URL: database.url,
    AUTH_SECRET: 'y'.repeat(40),
    HOST: '127.0.0.1',
    PORT: String(port),
  });
  const response = await fetch(`${another.url}/portal/stream?after=0`, { headers: { cookie } });
  const reading = response.text();
  const stopped = await another.stop();
  expect(stopped.code).toBe(0);
  expect(stopped.ms).toBeLessThan(5000);
  expect(await reading).toMatch(/retry: \d{1,4}\n/);
});

test('a stream ends after a minute; without a database it sends no pings (X17)', async () => {
  const { newest } = (await poll(0)).body;
  const stream = await openStream(newest);
  await stream.until('event: ping');
  const opened = Date.now();
  await stream.closed;
  expect(Date.now() - opened).toBeLessThan(65_000);
  expect(Date.now() - opened).toBeGreaterThan(40_000);
}, 90_000);

test('what a person moves on one device, the streams of their other devices hear, and no other stream', async () => {
  const stream = await openStream((await poll(0)).body.newest);
  await stream.until('event: ping');
  const [own] = await admin<{ companyId: number; employeeId: number; sessionId: number }[]>`
    select e.company_id as "companyId", e.id as "employeeId", s.id as "sessionId"
    from sessions s join employees e on e.company_id = s.company_id and e.account_id = s.account_id
    order by s.id desc limit 1`;
  if (!own) throw new Error('nobody is signed in');
  // As another process tells it, between two companies with news.
  const tell = (changes: object, text: string) =>
    admin.notify(
      'notifications',
      JSON.stringify([own.companyId, { ...own, ...changes, text }, 999, 'another process']),
    );
  await tell({}, '{"own":true}');
  await tell({ sessionId: own.sessionId + 1, employeeId: own.employeeId + 1 }, '{"colleague":true}');
  await tell({ sessionId: own.sessionId + 1, companyId: own.companyId + 1 }, '{"stranger":true}');
  await tell({ sessionId: own.sessionId + 1 }, '{"moved":true}');
  await stream.until('{"moved":true}');
  expect(stream.text()).toMatch(/event: moved\nid: \d+\ndata: \{"moved":true\}\n\n/);
  expect(stream.text()).not.toMatch(/own|colleague|stranger/);
  // The stream goes on from the same number.
  await send('Sesudah pindah');
  await stream.until('Sesudah pindah');
});
