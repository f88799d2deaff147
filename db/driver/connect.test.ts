import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { sql } from '#db/client.ts';
import { connect, ensureSessionLimits } from '#db/driver/connect.ts';
import { migrate } from '#db/migrate.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { makeDatabase } from '#e2e/support/service/databases.ts';
import { asPooled } from '#platform/config/database.ts';
import { childEnv } from '#platform/config/processes.ts';

test('numbers of 64 bits arrive as numbers, times as dates in the range of JavaScript, days as text', async () => {
  const json = JSON.stringify({ a: [1] });
  const [row] = await sql()`
    select 9007199254740991::bigint as number, timestamptz '2026-03-10 20:00+07' as timestamp, date '2026-03-10' as day,
      ${json}::jsonb as json, ${[1, 2]}::int[] as list`;
  const timestamp = new Date('2026-03-10T13:00:00Z');
  expect(row).toEqual({ number: 9007199254740991, timestamp, day: '2026-03-10', json: { a: [1] }, list: [1, 2] });
  const [times] = await sql()`
    select timestamptz 'infinity' as last, timestamptz '-infinity' as first, timestamptz '4713-01-01 BC' as ancient`;
  expect(times).toEqual({ last: new Date(Date.UTC(9999, 0)), first: new Date(0), ancient: new Date(0) });
});

const { name, url, admin, drop } = await makeDatabase();
afterAll(drop);

const settingsOfRole = async () => {
  const [row] = await admin<{ settings: string[] }[]>`select setconfig as settings from pg_db_role_setting
    where setdatabase = (select oid from pg_database where datname = current_database()) and setrole = 'notif_service'::regrole`;
  return row?.settings.toSorted();
};

test('a migration may take longer than the provider’s statement timeout', async () => {
  for (const role of ['notif_service', 'notif_owner'])
    await admin.unsafe(`alter role ${role} in database ${name} set statement_timeout = '100ms'`);
  let migrating: Promise<unknown> | undefined;
  await admin.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${advisoryLocks.migration})`;
    migrating = migrate(url, { ownerUrl: asPooled(ownerUrlOf(url) ?? '') });
    const waiting = () => admin`select 1 from pg_stat_activity where datname = ${name} and wait_event = 'advisory'
      and query_start < now() - interval '300 ms'`;
    await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1);
  });
  await migrating;
  expect((await admin`select 1 from companies`).length).toBe(0);
});

test('behind a pooler the role gets the limits it lacks, and shorter ones of the provider stay', async () => {
  // 100 ms would end the statements of this test on a busy machine.
  await admin.unsafe(`alter role notif_service in database ${name} set statement_timeout = '2500ms'`);
  expect(await ensureSessionLimits(url)).toBe('hold');
  expect(await settingsOfRole()).toEqual(['statement_timeout=2500ms']);
  expect(await ensureSessionLimits(asPooled(url))).toBe('given');
  const roleSettings = ['idle_in_transaction_session_timeout=10000', 'lock_timeout=2000', 'statement_timeout=2500ms'];
  expect(await settingsOfRole()).toEqual(roleSettings);
  expect(await ensureSessionLimits(asPooled(url))).toBe('hold');
});

// Its connections are ended.
const broken = await makeDatabase();
beforeAll(() => broken.admin`create table steps (run int, step int)`);
afterAll(broken.drop);

async function endConnections(): Promise<void> {
  const others = () => broken.server`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${broken.name} and application_name like 'staff-notification-api %'`;
  await expect.poll(async () => (await others()).length).toBe(0);
}

test('a transaction that lost its connection fails, and none of it runs on another one (X2)', async () => {
  let lost = 0;
  const sql = connect(broken.adminUrl, 1, { whenLost: () => lost++ });
  const run = sql.begin(async (transaction) => {
    await transaction`insert into steps values (0, 1)`;
    await endConnections();
    for (const step of [2, 3]) await transaction`insert into steps values (0, ${step})`.catch(() => {});
    await transaction`insert into steps values (0, 4)`;
  });
  await expect(run).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  expect(lost).toBe(1);
  expect(await broken.admin`select * from steps where run = 0`).toEqual([]);
  await sql.end();
});

test('statements that lose their connection are answered or fail, whole or not at all (X2)', async () => {
  for (let round = 1; round <= 20; round++) {
    const sql = connect(broken.adminUrl, 3);
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.02)`));
    const write = sql.begin(async (transaction) => {
      for (const step of [1, 2, 3]) await transaction`insert into steps values (${round}, ${step})`;
    });
    const asked = Array.from({ length: 12 }, (_, place) => sql`select ${place}::int as place`);
    const all = Promise.allSettled([write, ...asked]);
    if (round % 2 === 0) await write.catch(() => {});
    await endConnections();
    const [, ...answers] = await all;
    for (const answer of answers) if (answer.status === 'fulfilled') expect(answer.value).toHaveLength(1);
    await sql.end({ timeout: 1 });
  }
  expect(await broken.admin`select run from steps where run > 0 group by run having count(*) <> 3`).toEqual([]);
});

/** The exit code of a process with an unhandled rejection of this code; 7 when the process survives. */
function exitAfter(code: string): number | null {
  const program = `import { surviveLostConnections } from '#db/driver/connect.ts';
    surviveLostConnections();
    void Promise.reject(Object.assign(new Error('x'), { code: '${code}' }));
    setTimeout(() => process.exit(7), 20);`;
  const options = { cwd: join(import.meta.dirname, '..', '..'), env: childEnv() };
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], options).status;
}

test('a connection lost as it begins does not end the process; other unhandled rejections do (X2)', () => {
  expect([exitAfter('CONNECTION_CLOSED'), exitAfter('X')]).toEqual([7, 1]);
});
