import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnDatabase, startOwnDatabase } from '#e2e/faults/own-database.ts';
import { noErrors, type SeededCompany, SendLog, seedCompany, waitUntilIdle } from '#e2e/faults/send-log.ts';
import { rounds } from '#e2e/support/figures.ts';
import { type Line, openLine } from '#e2e/support/http/line.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';

let database: OwnDatabase;
let service: Service;
let companies: SeededCompany[];

const ping = '/api/v1/notif.php?aksi=ping';
const beside = () => postgres(database.adminUrl, { max: 1, onnotice: () => {} });

beforeAll(async () => {
  database = await startOwnDatabase();
  service = await start();
  const admin = beside();
  companies = await Promise.all(
    Array.from({ length: 4 }, () => seedCompany(admin, { employees: 20, keys: rounds(100, 400) })),
  );
  await admin.end();
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await database?.remove();
});

const start = (ready?: RegExp) =>
  startService(
    { DATABASE_URL: database.url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1', LOG_LEVEL: 'fatal' },
    undefined,
    ready,
  );

async function health(url: string, path: 'live' | 'ready'): Promise<number> {
  const { status } = await fetch(`${url}/health/${path}`);
  return status;
}

/** Calls until it gets this status. */
const until = (status: number, ask: () => Promise<number>, longestMs: number) =>
  expect.poll(ask, { timeout: longestMs, interval: 50 }).toBe(status);

// Keys take turns, so that none reaches its rate limit.
let turn = 0;
const pingStatus = async (url: string, line: Line = openLine(url, false)) => {
  const keys = companies[0]?.keys ?? [];
  return (await line.ask(ping, { headers: { 'X-API-Key': keys[turn++ % keys.length] ?? '' } })).status;
};

test('a service that starts before its database says so, answers 503, and then serves (X1)', async () => {
  await database.stop();
  const early = await start(/Waiting for/);
  expect(await health(early.url, 'live')).toBe(200);
  expect(await health(early.url, 'ready')).toBe(503);
  const refusals: number[] = [];
  for (let count = 0; count < 20; count++) {
    const began = performance.now();
    expect(await pingStatus(early.url)).toBe(503);
    refusals.push(performance.now() - began);
  }
  await database.start();
  await until(200, () => pingStatus(early.url), 20_000);
  await until(200, () => health(early.url, 'ready'), 20_000);
  await early.stop();
  expect(Math.max(...refusals)).toBeLessThan(4000);
});

test('during a long outage calls get 503 within seconds; the service recovers at once (X1)', async () => {
  await until(200, () => pingStatus(service.url), 20_000);
  await database.stop();
  const refusals: number[] = [];
  // The driver's default waits longer after each failure; 60 calls would show that.
  for (let count = 0; count < 60; count++) {
    const began = performance.now();
    expect(await pingStatus(service.url)).toBe(503);
    refusals.push(performance.now() - began);
  }
  await database.start();
  await until(200, () => pingStatus(service.url), 10_000);
  expect(Math.max(...refusals)).toBeLessThan(4000);
});

/** Eight clients that send until stopped. Half of them retry after a 503, the others do not. */
function keepSending(sendLog: SendLog, isOver: () => boolean): Promise<unknown> {
  const one = async (insists: boolean) => {
    const line = openLine(service.url);
    while (!isOver()) {
      const planned = sendLog.plan(companies);
      for (;;) {
        const { status } = await sendLog.attempt(service.url, planned, line);
        if (status === 0) throw new Error('a service that runs answered nothing');
        if (status === 200 || !insists || isOver()) break;
      }
    }
    line.close();
  };
  return Promise.all(Array.from({ length: 8 }, (_, place) => one(place % 2 === 0)));
}

const answeredSince = (sendLog: SendLog, since: number) =>
  sendLog.plannedSends.flatMap(({ answers }) => answers.filter(({ status, at }) => status === 200 && at > since));

/**
 * Interrupts the database several times under eight clients, then compares answers with stored
 * sends.
 */
async function takeAway(times: number, how: () => Promise<void>): Promise<void> {
  const sendLog = new SendLog();
  let over = false;
  const sending = keepSending(sendLog, () => over);
  try {
    for (let round = 0; round < times; round++) {
      const began = performance.now();
      await expect
        .poll(() => answeredSince(sendLog, began).length, { timeout: 30_000, interval: 20 })
        .toBeGreaterThan(8);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      await how();
      await database.start();
      const admin = beside();
      await admin`delete from key_usage`;
      await admin.end();
      const back = performance.now();
      await expect
        .poll(() => answeredSince(sendLog, back).length, { timeout: 15_000, interval: 20 })
        .toBeGreaterThan(0);
    }
  } finally {
    over = true;
    await sending;
  }
  await expectNothingWrong(sendLog);
}

async function expectNothingWrong(sendLog: SendLog): Promise<void> {
  const admin = beside();
  await waitUntilIdle(admin);
  const counts = await sendLog.verify(admin);
  await admin.end();
  const all = sendLog.plannedSends.flatMap(({ answers }) => answers);
  expect(counts).toMatchObject(noErrors);
  expect(all.filter(({ status }) => ![200, 429, 503].includes(status))).toEqual([]);
  expect(Math.max(...all.map(({ ms }) => ms))).toBeLessThan(12_000);
}

test('after kill -9 of the database, each send answered 200 is stored exactly once (X2)', () =>
  takeAway(rounds(1, 50), () => database.kill()));

test('after an immediate stop, the database has every send that was answered 200 (X9)', () =>
  takeAway(rounds(1, 20), () => database.stopImmediately()));
