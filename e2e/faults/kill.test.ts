import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startOwnDatabase } from '#e2e/faults/own-database.ts';
import { type PlannedSend, type SeededCompany, SendLog, seedCompany, waitUntilIdle } from '#e2e/faults/send-log.ts';
import { rounds } from '#e2e/support/figures.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { countStatuses, ping } from '#e2e/support/http/pings.ts';
import { startDatabaseProxy } from '#e2e/support/proxies/tcp-proxy.ts';
import { freePort, root, type Service, startService } from '#e2e/support/service/service.ts';

const database = await startOwnDatabase();
const proxy = await startDatabaseProxy(database.url);
const { admin } = database;
afterAll(async () => {
  await proxy.stop();
  await database.remove();
});

const settings = (url = database.url) => ({ DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1' });
const start = (url?: string) => startService({ ...settings(url), LOG_LEVEL: 'error' });
// The first start migrates the database.
await (await start()).stop();

// Sends over one connection until the service dies. Sends without an answer may be retried in later rounds.
async function sendUntilGone(service: Service, sendLog: SendLog, companies: SeededCompany[]): Promise<PlannedSend> {
  const line = openLine(service.url);
  for (;;) {
    const planned = sendLog.plan(companies);
    const { status } = await sendLog.attempt(service.url, planned, line);
    if (status !== 0) continue;
    line.close();
    return planned;
  }
}

test('a send that kill -9 interrupts is stored whole or not at all (X7)', async () => {
  const wanted = rounds(1, 200);
  const company = await seedCompany(admin, { employees: 10_000, keys: 400 });
  const sendLog = new SendLog();
  const unanswered: PlannedSend[] = [];
  let next = start();
  for (let round = 0; round < wanted; round++) {
    const service = await next;
    if (round + 1 < wanted) next = start();
    const warmUp = await Promise.all(company.keys.slice(0, 8).map((key) => ping(service.url, key)));
    expect(countStatuses(warmUp)).toEqual({ 200: 8 });
    await admin`delete from key_usage`;
    const senders = Array.from({ length: 8 }, () => sendUntilGone(service, sendLog, [company]));
    await pause(Math.random() * 50);
    await service.stop('SIGKILL');
    unanswered.push(...(await Promise.all(senders)));
  }
  // Half of the clients without an answer retry; the others give up.
  const last = await start();
  await admin`delete from key_usage`;
  for (const planned of unanswered.filter((_, place) => place % 2 === 0))
    expect(await sendLog.attempt(last.url, planned)).toMatchObject({ status: 200 });
  await last.stop();
  expect((await sendLog.expectWhole(admin)).answered).toBeGreaterThanOrEqual(wanted);
});

async function listStored(prefix: string): Promise<string[]> {
  const rows = await admin<{ title: string }[]>`select title from notifications where title like ${`${prefix}%`}`;
  return rows.map(({ title }) => title);
}

// What happens to the sends whose statements were committed and whose answers are held.
const losses = {
  'was lost to kill -9': async (service: Service) => void (await service.stop('SIGKILL')),
  'was lost with its connection to the database': async () => proxy.cutHeld(),
};

test.each(Object.entries(losses))('a stored send whose answer %s is replayed, not resent (X22)', async (how, lose) => {
  const isKilled = how.includes('kill');
  const wanted = rounds(1, 60);
  const companies: SeededCompany[] = [];
  for (let place = 0; place < 8; place++) companies.push(await seedCompany(admin, { employees: 5, keys: 2 * wanted }));
  const sendLog = new SendLog();
  let service = await start(proxy.url);
  for (let round = 0; round < wanted; round++) {
    const prefix = `Tahan-${isKilled}-${round}-`;
    proxy.hold(prefix);
    const plannedSends = companies.map((company) => sendLog.plan([company], prefix));
    const first = plannedSends.map((planned) => sendLog.attempt(service.url, planned));
    // The sends share statements. Those whose statement had to wait are not stored yet.
    const countStored = async () => (await listStored(prefix)).length;
    await expect.poll(countStored, { timeout: 20_000, interval: 20 }).toBeGreaterThan(1);
    const committed = new Set(await listStored(prefix));
    if (!isKilled) proxy.hold(null);
    await lose(service);
    const answers = await Promise.all(first);
    proxy.hold(null);
    for (const [at, { title }] of plannedSends.entries())
      if (isKilled) expect(answers[at]?.status).toBe(0);
      else if (committed.has(title)) expect(answers[at]).toMatchObject({ status: 503, code: 'unavailable_uncertain' });
    await waitUntilIdle(admin);
    const stored = new Set(await listStored(prefix));
    if (isKilled) service = await start(proxy.url);
    for (const planned of plannedSends) {
      const again = await sendLog.attempt(service.url, planned);
      expect(again).toMatchObject({ status: 200, replayed: stored.has(planned.title) });
    }
  }
  await service.stop();
  expect(await sendLog.expectWhole(admin)).toEqual({ answered: 8 * wanted });
});

test('a service whose log cannot be written serves on and stops when told to (X11)', async () => {
  const company = await seedCompany(admin, { keys: 200 });
  const sendLog = new SendLog();
  const wanted = rounds(100, 1000);
  const full = await open('/dev/full', 'w');
  onTestFinished(() => full.close());
  const port = await freePort();
  const env = { ...process.env, ...settings(), PORT: String(port), LOG_LEVEL: 'trace' };
  const child = spawn(process.execPath, ['server/main.js'], { cwd: root, env, stdio: ['ignore', full.fd, full.fd] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  const ready = async () => {
    expect(child.exitCode, 'it ended').toBeNull();
    return (await fetch(`${url}/health/ready`).catch(() => null))?.status;
  };
  await expect.poll(ready, { timeout: 60_000, interval: 100 }).toBe(200);
  for (let count = 0; count < wanted; count++) {
    expect((await ping(url, 'wrong')).status).toBe(401);
    expect(await sendLog.attempt(url, sendLog.plan([company]))).toMatchObject({ status: 200 });
  }
  expect((await fetch(`${url}/login`)).status).toBe(200);
  const told = performance.now();
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(performance.now() - told).toBeLessThan(9000);
  expect(await sendLog.expectWhole(admin)).toEqual({ answered: wanted });
});
