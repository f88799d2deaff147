import { afterAll, expect, test } from 'vitest';
import { disconnect } from '#db/client.ts';
import { startOwnDatabase } from '#e2e/faults/own-database.ts';
import { scrape, sumOf } from '#e2e/machines/metrics.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { good, sendTo, withKey } from '#e2e/support/http/interface.ts';
import { runNotif } from '#e2e/support/service/notif.ts';
import { freePort, type Service, startService } from '#e2e/support/service/service.ts';
import { applyStartSettings } from '#platform/config/settings.ts';
import { revokeKey } from '#server/keys/keys.ts';

const authSecret = 'd'.repeat(40);
const askPing = (url: string, key: string) => fetch(`${url}/api/v1/notif.php?aksi=ping`, { headers: withKey(key) });

// Six processes of a deployment, on any number of machines, and a PostgreSQL with its default of 100.
const database = await startOwnDatabase();
const { admin } = database;
afterAll(async () => {
  await Promise.all(processes.map((service) => service.stop()));
  await database.remove();
});
const start = (variables: Record<string, string>) =>
  startService({ DATABASE_URL: database.url, AUTH_SECRET: authSecret, HOST: '127.0.0.1', ...variables });
const metricsPorts = await Promise.all(Array.from({ length: 6 }, () => freePort()));
// One of those that start at once migrates; the others wait.
let processes = await Promise.all(metricsPorts.map((port) => start({ METRICS_PORT: String(port) })));
applyStartSettings({ databaseUrl: database.url, authSecret, appUrl: processes[0]?.url ?? '' });
const company = await makeCompany();
const cookie = await openSessionOf(await company.giveAccount(await company.hire()));
// This process is not part of the deployment.
await disconnect();

// The connections of all roles but this test's own.
async function countConnections(): Promise<number> {
  const [row] = await admin<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where backend_type = 'client backend' and usename <> current_user`;
  return row?.count ?? 0;
}

/** Calls each process in all ways at once, so that each of its pools has more work than connections. */
async function burst(keys: string[]): Promise<void> {
  const calls = processes.flatMap(({ url }) =>
    keys.flatMap((key) => [
      sendTo(url, key, good),
      askPing(url, key),
      fetch(`${url}/portal/feed?after=0`, { headers: { cookie } }),
      fetch(`${url}/portal/notifications`, { headers: { cookie } }),
    ]),
  );
  // A process may close a connection during a call; this test does not judge that.
  for (const call of await Promise.allSettled(calls))
    if (call.status === 'fulfilled') await call.value.arrayBuffer().catch(() => null);
}

const countRefused = (service: Service) => service.output().split('"code":"53300"').length - 1;

/** Makes each process open all its connections: sends wait for the company's row, pages for the sessions. */
async function fillPools(): Promise<void> {
  const keys = await company.newKeys(20);
  await disconnect();
  let waiting: Promise<void> | undefined;
  await admin.begin(async (lock) => {
    await lock`select 1 from companies for update`;
    await lock`lock table sessions in access exclusive mode`;
    waiting = burst(keys);
    await lock`select pg_sleep(1.5)`;
  });
  await waiting;
}

test('six processes stay below 100 connections', async () => {
  let [isFilled, peak] = [false, 0];
  const filling = fillPools().finally(() => (isFilled = true));
  while (!isFilled) peak = Math.max(peak, await countConnections());
  await filling;
  expect(processes.map(countRefused)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(peak).toBeGreaterThan(20);
  expect(peak).toBeLessThanOrEqual(90);
}, 300_000);

test('each process reports its own budget, and the same numbers of the deployment', async () => {
  let scrapes: Awaited<ReturnType<typeof scrape>>[] = [];
  const read = (name: string, ...labels: string[]) => scrapes.map((one) => sumOf(one, name, ...labels));
  const each = (value: number) => processes.map(() => value);
  const readLimits = async () => {
    scrapes = await Promise.all(metricsPorts.map((port) => scrape(port)));
    return read('notif_database_connections_limit');
  };
  // A process on a busy machine may not get its answer in time, and then says no limit.
  await expect.poll(readLimits, { timeout: 20_000 }).toEqual(each(97));
  expect(read('notif_database_connections_budget')).toEqual(each(16));
  const [row] = await admin<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where application_name like 'staff-notification-api %'`;
  // The scrapes themselves open a few.
  for (const count of read('notif_database_connections')) expect(Math.abs(count - (row?.count ?? 0))).toBeLessThan(9);
  for (const free of read('notif_database_connections_free')) expect(free).toBeLessThan(97 - (row?.count ?? 0) + 9);
  expect(read('notif_database_durability_off')).toEqual(each(0));
});

test('every process refuses a revoked key from the next request on (X13)', async () => {
  const statuses = (key: string) => Promise.all(processes.map(async ({ url }) => (await askPing(url, key)).status));
  const key = await company.newKey('dicabut');
  expect(await statuses(key)).toEqual(processes.map(() => 200));
  const [row] = await admin<{ id: number }[]>`select id from api_keys where name = 'dicabut'`;
  await revokeKey(company.owner, row?.id ?? 0);
  await disconnect();
  expect(await statuses(key)).toEqual(processes.map(() => 401));
});

// `taken_jobs` records which process takes which job. A job in `stuck_jobs` never ends.
const watchJobs = `
  create table taken_jobs (name text, runner uuid);
  create table stuck_jobs (name text);
  create function watch_jobs() returns trigger language plpgsql security definer set search_path = public as $$ begin
    if new.runner is not null and new.runner is distinct from old.runner then
      insert into taken_jobs values (new.name, new.runner);
    elsif old.runner is not null and new.runner is null and exists (select from stuck_jobs where name = new.name) then
      return null;
    end if;
    return new;
  end $$;
  create trigger watch_jobs before update on hourly_jobs for each row execute function watch_jobs()`;

test('six processes run each hourly job once; when one dies at work, another takes its job', async () => {
  await admin.unsafe(watchJobs);
  const countDue = async () => (await admin`select from hourly_jobs where ended_at < now() - interval '1 hour'`).length;
  const all = (await admin`update hourly_jobs set ended_at = now() - interval '61 minutes' returning name`).length;
  expect(all).toBeGreaterThan(10);
  await expect.poll(countDue, { timeout: 120_000 }).toBe(0);
  const taken = await admin`select name, count(*)::int as times from taken_jobs group by name`;
  expect(taken.map(({ times }) => times)).toEqual(Array(all).fill(1));

  // Only the first process is awake. It works on a job and never ends it.
  const [first, ...others] = processes;
  for (const other of others) other.process.kill('SIGSTOP');
  await admin`insert into stuck_jobs values ('imports')`;
  await admin`truncate taken_jobs`;
  await admin`update hourly_jobs set ended_at = now() - interval '61 minutes' where name = 'imports'`;
  const countTaken = async () => (await admin`select from taken_jobs`).length;
  await expect.poll(countTaken, { timeout: 60_000 }).toBe(1);
  first?.process.kill('SIGKILL');
  processes = others;
  await admin`delete from stuck_jobs`;
  for (const other of others) other.process.kill('SIGCONT');
  // Its lease ends.
  await admin`update hourly_jobs set lease_until = now() where name = 'imports'`;
  await expect.poll(countDue, { timeout: 60_000 }).toBe(0);
  expect(await admin`select from taken_jobs group by runner`).toHaveLength(2);
}, 300_000);

test('processes that together may open too many connections are told so at the start and by doctor', async () => {
  await Promise.all(processes.map((service) => service.stop()));
  processes = [];
  const tooMany = { DATABASE_CONNECTIONS: '60' };
  const alone = await start(tooMany);
  expect(alone.output()).not.toContain('database connections');
  const other = await start(tooMany);
  const sentence =
    'The 2 processes of the service may open 120 database connections, and the database has 9\\d for them.';
  expect(other.output()).toMatch(new RegExp(`^${sentence} Set DATABASE_CONNECTIONS=4\\d for each, or raise`, 'm'));
  const settings = { DATABASE_URL: database.url, AUTH_SECRET: authSecret, ...tooMany };
  const told = await runNotif(['doctor', '--json'], settings);
  expect(told.output).toMatch(new RegExp(`"state":"warning","sentence":"${sentence}`));
  await Promise.all([alone.stop(), other.stop()]);
}, 300_000);
