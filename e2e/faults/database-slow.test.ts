import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownerUrlOf } from '#db/service-role.ts';
import { type OwnDatabase, startOwnDatabase } from '#e2e/faults/own-database.ts';
import { noErrors, type SeededCompany, SendLog, seedCompany, waitUntilIdle } from '#e2e/faults/send-log.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { percentile, rounds } from '#e2e/support/figures.ts';
import { sendTo } from '#e2e/support/http/interface.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { numbersIn, openReader } from '#e2e/support/http/open-streams.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#e2e/support/proxies/tcp-proxy.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';
import { adopt } from '#platform/config/settings.ts';

let database: OwnDatabase;
let proxy: DatabaseProxy;
let service: Service;
let admin: postgres.Sql;
let companies: SeededCompany[];
let cookie: string;

const authSecret = 'x'.repeat(40);
// 6 s are promised; the rest is for a busy machine.
const longestAnswerMs = 7000;

beforeAll(async () => {
  database = await startOwnDatabase();
  proxy = await startDatabaseProxy(database.url);
  service = await startService({
    DATABASE_URL: proxy.url,
    DATABASE_OWNER_URL: ownerUrlOf(database.url),
    AUTH_SECRET: authSecret,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'fatal',
  });
  admin = postgres(database.adminUrl, { max: 2, onnotice: () => {} });
  companies = await Promise.all(Array.from({ length: 12 }, () => seedCompany(admin, { employees: 20, keys: 100 })));
  adopt({ databaseUrl: database.url, authSecret, appUrl: service.url });
  const company = await makeCompany();
  cookie = await openSessionOf(await company.giveAccount(await company.hire()));
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await admin?.end();
  await proxy?.stop();
  await database?.remove();
});

type Timed = { status: number; ms: number };

let turn = 0;
async function pingOnce(): Promise<Timed> {
  const company = companies[turn % companies.length];
  const key = company?.keys[Math.floor(turn++ / companies.length) % 100] ?? '';
  const began = performance.now();
  const { status } = await openLine(service.url, false).ask('/api/v1/notif.php?aksi=ping', {
    headers: { 'X-API-Key': key },
  });
  return { status, ms: performance.now() - began };
}

/** Runs calls in parallel without a pause until `isOver`. */
async function keepDoing<Done>(atOnce: number, isOver: () => boolean, once: () => Promise<Done>): Promise<Done[]> {
  const done: Done[] = [];
  const one = async () => {
    while (!isOver()) done.push(await once());
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return done;
}

const slowest = (answers: Timed[]) => Math.round(Math.max(...answers.map(({ ms }) => ms)));
const p99 = (answers: Timed[]) =>
  Math.round(
    percentile(
      answers.map(({ ms }) => ms),
      0.99,
    ),
  );
const ofStatus = (answers: Timed[], status: number) => answers.filter((answer) => answer.status === status);

async function healsWithin(longestMs: number): Promise<void> {
  const send = async () => {
    const sendLog = new SendLog();
    return (await sendLog.attempt(service.url, sendLog.plan(companies))).status;
  };
  await expect.poll(send, { timeout: longestMs, interval: 50 }).toBe(200);
}

async function expectNothingWrong(sendLog: SendLog): Promise<void> {
  await waitUntilIdle(admin);
  const others = new SendLog();
  others.plannedSends.push(...sendLog.plannedSends);
  const { half: _, ...counts } = await others.verify(admin);
  const { half: __, ...expected } = noErrors;
  expect(counts).toMatchObject(expected);
}

test('while a table is locked, sends get 503 within 6 s and pings go on (X3)', async () => {
  await healsWithin(20_000);
  const seconds = rounds(1, 30);
  const sendLog = new SendLog();
  let over = false;
  let work: Promise<[Timed[], Timed[]]> | undefined;
  await admin.begin(async (locked) => {
    await locked`lock table notifications in access exclusive mode`;
    work = Promise.all([
      keepDoing(
        24,
        () => over,
        () => sendLog.attempt(service.url, sendLog.plan(companies)),
      ),
      keepDoing(8, () => over, pingOnce),
    ]);
    await locked`select pg_sleep(${seconds})`;
    over = true;
    // The lock outlasts the last sends: each waits 2 s in a batch and then 2 s alone.
    await locked`select pg_sleep(4)`;
  });
  const [sends, pings] = (await work) ?? [[], []];
  await healsWithin(10_000);
  expect(ofStatus(sends, 503).length).toBeGreaterThan(0);
  expect(slowest(sends)).toBeLessThan(longestAnswerMs);
  expect(pings.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  expect(p99(pings)).toBeLessThan(rounds(3000, 500));
  await expectNothingWrong(sendLog);
});

test('a portal that opens while notifications are locked misses none of them (X3)', async () => {
  await healsWithin(20_000);
  const company = await makeCompany();
  const mine = await openSessionOf(await company.giveAccount(await company.hire()));
  const key = await company.newKey();
  const send = async (judul: string) => (await sendTo(service.url, key, { judul, isi: 'Isi' })).status;
  expect(await send('Sebelum')).toBe(200);
  // The first portal of a company opens only when the company's first query has ended.
  const reader = await admin.begin(async (locked) => {
    await locked`lock table notifications in access exclusive mode`;
    return openReader(service.url, mine);
  });
  expect(reader.status).toBe(200);
  await expect.poll(reader.text).toContain('"Sebelum"');
  expect(await send('Sesudah')).toBe(200);
  await expect.poll(reader.text).toContain('"Sesudah"');
  expect(numbersIn(reader.text())).toEqual([1, 2]);
  reader.leave();
});

test('while the database is frozen, each call gets 503 within 6 s, and it recovers (X3)', async () => {
  await healsWithin(20_000);
  await admin`delete from key_usage`;
  const sendLog = new SendLog();
  let over = false;
  database.pause();
  const work = Promise.all([
    keepDoing(
      12,
      () => over,
      () => sendLog.attempt(service.url, sendLog.plan(companies)),
    ),
    keepDoing(12, () => over, pingOnce),
  ]);
  await new Promise((resolve) => setTimeout(resolve, rounds(1, 30) * 1000));
  over = true;
  const [sends, pings] = await work;
  database.resume();
  await healsWithin(10_000);
  expect(new Set([...sends, ...pings].map(({ status }) => status))).toEqual(new Set([503]));
  expect(slowest([...sends, ...pings])).toBeLessThan(longestAnswerMs);
  await expectNothingWrong(sendLog);
});

test('polling portals do not starve sends when the database is slow (X3)', async () => {
  await healsWithin(20_000);
  await admin`delete from key_usage`;
  const sendLog = new SendLog();
  let over = false;
  proxy.setDelay(100);
  const poll = async () => {
    const began = performance.now();
    const line = openLine(service.url, false);
    const { status } = await line.ask('/portal/feed?after=0', { headers: { cookie } });
    return { status, ms: performance.now() - began };
  };
  const polling = keepDoing(100, () => over, poll);
  const sends: Timed[] = [];
  for (let count = 0; count < rounds(5, 100); count++)
    sends.push(await sendLog.attempt(service.url, sendLog.plan(companies)));
  over = true;
  const polls = await polling;
  proxy.setDelay(0);
  expect(polls.length).toBeGreaterThanOrEqual(100);
  expect(sends.filter(({ status }) => status !== 200)).toEqual([]);
  expect(slowest(sends)).toBeLessThan(longestAnswerMs);
  await expectNothingWrong(sendLog);
});

const ofService = `application_name like 'staff-notification-api %' and pid <> pg_backend_pid()`;

test('without a free database connection calls get 503 within seconds, and it recovers (X14)', async () => {
  const own = await Promise.all(Array.from({ length: 12 }, () => seedCompany(admin, { employees: 10, keys: 100 })));
  const countConnections = async () => (await admin.unsafe(`select from pg_stat_activity where ${ofService}`)).length;

  // Streams share one connection that listens. Other work may open a few.
  const beforeStreams = await countConnections();
  const lines = Array.from({ length: 10 }, () => openLine(service.url, false));
  for (const line of lines)
    expect((await line.open('/portal/stream?after=0', { headers: { cookie } })).statusCode).toBe(200);
  expect(await countConnections()).toBeLessThanOrEqual(beforeStreams + 5);

  const sendLog = new SendLog();
  const burst = () =>
    Promise.all(Array.from({ length: rounds(200, 500) }, () => sendLog.attempt(service.url, sendLog.plan(own))));
  const before = await burst();
  const holders = postgres(database.adminUrl, { max: 99, onnotice: () => {}, backoff: () => 0.05 });
  const hold = () => Promise.allSettled(Array.from({ length: 99 }, () => holders`select pg_sleep(0.05)`));
  await hold();
  await expect
    .poll(
      async () => {
        await admin.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity where ${ofService}`);
        await hold();
        return countConnections();
      },
      { timeout: 30_000, interval: 1 },
    )
    .toBe(0);
  const during: Awaited<ReturnType<typeof burst>> = [];
  for (let round = 0; round < rounds(1, 5); round++) during.push(...(await burst()));
  await holders.end({ timeout: 0 });
  const send = async () => (await sendLog.attempt(service.url, sendLog.plan(own))).status;
  await expect.poll(send, { timeout: 15_000, interval: 50 }).toBe(200);
  for (const line of lines) line.close();
  await waitUntilIdle(admin);
  const counts = await sendLog.verify(admin);
  const ms = during.map((answer) => answer.ms);
  expect(counts).toMatchObject(noErrors);
  expect([...before, ...during].filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(during.some(({ status }) => status === 503)).toBe(true);
  expect(Math.max(...ms)).toBeLessThan(8000);
});
