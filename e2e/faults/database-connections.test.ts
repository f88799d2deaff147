import postgres from 'postgres';
import { expect, test } from 'vitest';
import { startOwnDatabase } from '#e2e/faults/own-database.ts';
import { seedCompany } from '#e2e/faults/seeded-company.ts';
import { noErrors, SendLog, waitUntilIdle } from '#e2e/faults/send-log.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { percentile, recordFigures, rounds } from '#e2e/support/figures.ts';
import { signInForCookie } from '#e2e/support/http/cookie.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { startService } from '#e2e/support/service/service.ts';
import { adopt } from '#platform/config/settings.ts';

const authSecret = 'x'.repeat(40);
const ofService = `application_name = 'staff-notification-api' and pid <> pg_backend_pid()`;

test('without a free database connection calls get 503 within seconds, and it recovers (X14)', async () => {
  const database = await startOwnDatabase();
  const service = await startService({
    DATABASE_URL: database.url,
    AUTH_SECRET: authSecret,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'fatal',
  });
  adopt({ databaseUrl: database.url, authSecret, appUrl: service.url });
  const company = await makeCompany();
  const cookie = await signInForCookie(service.url, await company.giveAccount(await company.hire()));
  const admin = postgres(database.adminUrl, { max: 1, onnotice: () => {} });
  const companies = await Promise.all(
    Array.from({ length: 12 }, () => seedCompany(admin, { employees: 10, keys: 100 })),
  );
  const countConnections = async () => (await admin.unsafe(`select from pg_stat_activity where ${ofService}`)).length;

  // Streams hold no connection of their own. One listens for all; other work may open a few.
  const beforeStreams = await countConnections();
  const lines = Array.from({ length: 10 }, () => openLine(service.url, false));
  for (const line of lines)
    expect((await line.open('/portal/stream?after=0', { headers: { cookie } })).statusCode).toBe(200);
  expect(await countConnections()).toBeLessThanOrEqual(beforeStreams + 5);

  const sendLog = new SendLog();
  const burst = () =>
    Promise.all(Array.from({ length: rounds(200, 500) }, () => sendLog.attempt(service.url, sendLog.plan(companies))));
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
  const freed = performance.now();
  const send = async () => (await sendLog.attempt(service.url, sendLog.plan(companies))).status;
  await expect.poll(send, { timeout: 15_000, interval: 50 }).toBe(200);
  const healed = performance.now() - freed;
  for (const line of lines) line.close();
  await waitUntilIdle(admin);
  const counts = await sendLog.verify(admin);
  await service.stop();
  await admin.end();
  await database.remove();
  const statuses = (answers: { status: number }[]) =>
    [...new Set(answers.map(({ status }) => status))]
      .sort()
      .map((one) => `${one}×${answers.filter(({ status }) => status === one).length}`)
      .join(' ');
  const ms = during.map((answer) => answer.ms);
  await recordFigures('X14', {
    burst: statuses(before),
    burstMsMax: Math.round(Math.max(...before.map((answer) => answer.ms))),
    ...{
      withoutConnections: statuses(during),
      msP50: Math.round(percentile(ms, 0.5)),
      msMax: Math.round(Math.max(...ms)),
    },
    healedMs: Math.round(healed),
    ...counts,
  });
  expect(counts).toMatchObject(noErrors);
  expect([...before, ...during].filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(during.some(({ status }) => status === 503)).toBe(true);
  expect(Math.max(...ms)).toBeLessThan(8000);
});
