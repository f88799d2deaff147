import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnDatabase, startOwnDatabase } from '#e2e/faults/own-database.ts';
import {
  noErrors,
  type PlannedSend,
  type SeededCompany,
  SendLog,
  seedCompany,
  waitUntilIdle,
} from '#e2e/faults/send-log.ts';
import { rounds } from '#e2e/support/figures.ts';
import { openLine } from '#e2e/support/http/line.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#e2e/support/proxies/tcp-proxy.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';

let database: OwnDatabase;
let proxy: DatabaseProxy;
let admin: postgres.Sql;

beforeAll(async () => {
  database = await startOwnDatabase();
  proxy = await startDatabaseProxy(database.url);
  admin = postgres(database.adminUrl, { max: 2, onnotice: () => {} });
  const first = await start();
  await first.stop('SIGKILL');
}, 120_000);

afterAll(async () => {
  await admin.end();
  await proxy.stop();
  await database.remove();
});

const start = (url = database.url) =>
  startService({ DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1', LOG_LEVEL: 'error' });

// Sends over one connection until the service dies. Sends without an answer may be retried in later
// rounds.
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

async function warmUp({ url }: Service, { keys }: SeededCompany): Promise<void> {
  const pings = Array.from({ length: 8 }, (_, place) =>
    openLine(url, false).ask('/api/v1/notif.php?aksi=ping', { headers: { 'X-API-Key': keys[place] ?? '' } }),
  );
  for (const { status } of await Promise.all(pings)) expect(status).toBe(200);
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
    await warmUp(service, company);
    await admin`delete from key_usage`;
    const senders = Array.from({ length: 8 }, () => sendUntilGone(service, sendLog, [company]));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
    await service.stop('SIGKILL');
    unanswered.push(...(await Promise.all(senders)));
  }
  // Half of the clients without an answer retry; the others give up.
  const last = await start();
  await admin`delete from key_usage`;
  for (const planned of unanswered.filter((_, place) => place % 2 === 0))
    expect(await sendLog.attempt(last.url, planned)).toMatchObject({ status: 200 });
  await last.stop();
  await waitUntilIdle(admin);
  const counts = await sendLog.verify(admin);
  expect(counts).toMatchObject(noErrors);
  expect(counts.answered).toBeGreaterThanOrEqual(wanted);
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

test.each(Object.entries(losses))(
  'a committed send whose answer %s is replayed, not sent twice (X22)',
  async (how, lose) => {
    const isKilled = how.includes('kill');
    const wanted = rounds(1, 60);
    const companies: SeededCompany[] = [];
    for (let place = 0; place < 8; place++)
      companies.push(await seedCompany(admin, { employees: 5, keys: 2 * wanted }));
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
        else if (committed.has(title))
          expect(answers[at]).toMatchObject({ status: 503, code: 'unavailable_uncertain' });
      await waitUntilIdle(admin);
      const stored = new Set(await listStored(prefix));
      if (isKilled) service = await start(proxy.url);
      for (const planned of plannedSends) {
        const again = await sendLog.attempt(service.url, planned);
        expect(again).toMatchObject({ status: 200, replayed: stored.has(planned.title) });
      }
    }
    await service.stop();
    expect(await sendLog.verify(admin)).toMatchObject({ ...noErrors, answered: 8 * wanted });
  },
);
