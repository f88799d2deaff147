import { afterAll, expect, test } from 'vitest';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { ensureSessionLimits } from '#db/driver/session-limits.ts';
import { migrate } from '#db/migrate.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { makeDatabase } from '#e2e/support/service/databases.ts';
import { asPooled } from '#platform/config/database-url.ts';

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
