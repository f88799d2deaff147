import { expect, test } from 'vitest';
import { withFreshDatabase } from '#e2e/fixtures/fresh-database.ts';
import { runNotif } from '#e2e/fixtures/notif.ts';

test('the operator partitions a database, detaches nothing that is young, and goes back', () =>
  withFreshDatabase({ isMigrated: true }, async ({ url, ownerUrl, admin }) => {
    const run = (...options: string[]) =>
      runNotif(['partition', ...options, '--json'], { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
    const dataOf = async (...options: string[]) => JSON.parse((await run(...options)).output);
    const copied = ['audit_log', 'notifications', 'receipts'];
    expect(await dataOf('--companies', '2')).toEqual({ ok: true, copied });
    const parts = await admin`select inhrelid::regclass::text as name from pg_inherits
      join pg_class on oid = inhrelid and relkind = 'r' where inhparent = 'receipts'::regclass order by 1`;
    expect(parts.map((part) => part.name)).toEqual(['receipts_of_0', 'receipts_of_1']);
    expect(await dataOf()).toEqual({ ok: true, copied: [] });
    expect(await dataOf('--detach-audit', '2020-01-31')).toEqual({ ok: true, detached: [] });
    expect(await dataOf('--whole')).toEqual({ ok: true, copied });
    expect(await admin`select from pg_inherits where inhparent = 'receipts'::regclass`).toHaveLength(0);
    expect(await run('--whole', '--companies', '4')).toMatchObject({ code: 2 });
    expect(await run('--companies', '1')).toMatchObject({ code: 2 });
  }));
