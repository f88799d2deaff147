import { expect, test } from 'vitest';
import { connect } from '#db/driver/connect.ts';
import { migrate } from '#db/migrate.ts';
import { rehearseMigrations } from '#db/rehearse-migrations.ts';
import { planUndo, undoMigrations } from '#db/undo-migrations.ts';
import { runNotif } from '#e2e/fixtures/notif.ts';
import { listMigrations, withMigrations } from '#e2e/server/earlier-schemas.ts';
import { countRows, makeAsOf, makeOld, withDatabase } from '#e2e/server/old-databases.ts';
import { startService } from '#harness/service.ts';

const all = await listMigrations();
const firstUndoable = 8;

// Everything but the order of columns and whether a constraint was validated.
async function describeSchema(url: string): Promise<string[]> {
  const sql = connect(url, 1);
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
    from information_schema.columns where table_schema = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || replace(pg_get_constraintdef(oid), ' NOT VALID', '')
    from pg_constraint where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select tgrelid::regclass || ' ' || tgname from pg_trigger where not tgisinternal
    order by 1`;
  await sql.end();
  return rows.map(({ line }) => line);
}

async function rowsOf(url: string): Promise<Record<string, number>> {
  const sql = connect(url, 1);
  const counts = await countRows(sql);
  await sql.end();
  return counts;
}

test.each(all.slice(firstUndoable).map((tag, place) => [tag, place + firstUndoable] as const))(
  'undoing migration %s gives the schema and the rows of before, and it can run again',
  async (_, number) => {
    const old = await makeOld();
    await withDatabase(async (roles) => {
      const before = await makeAsOf(number - 1, roles, old);
      const schema = await describeSchema(roles.owner);
      await withMigrations(number + 1, {}, (folder) => migrate(roles.owner, { folder }));
      expect(await describeSchema(roles.owner)).not.toEqual(schema);
      const undone = await undoMigrations(roles.owner, all[number - 1] ?? '');
      expect(undone).toMatchObject([{ tag: all[number], lost: expect.stringMatching(/\.$/) }]);
      expect(await describeSchema(roles.owner)).toEqual(schema);
      expect(await rowsOf(roles.owner)).toEqual(before);
      await migrate(roles.url, { ownerUrl: roles.owner });
    });
  },
);

test('undoing refuses while keys have a last day or sends wait, and then changes nothing', async () => {
  await withDatabase(async (roles) => {
    await makeAsOf(all.length - 1, roles, await makeOld());
    const sql = connect(roles.owner, 1);
    await sql`update api_keys set expires_at = now() + interval '1 day'`;
    const schema = await describeSchema(roles.owner);
    const undo = () => undoMigrations(roles.owner, all[7] ?? '');
    await sql`update planned_sends set undone_at = null`;
    await expect(undo()).rejects.toThrow('0019_plan_sends_and_join cannot be undone now: planned sends still wait');
    await sql`delete from planned_sends`;
    await expect(undo()).rejects.toThrow('0014_keys_expire cannot be undone now: keys with a last day');
    await sql`update api_keys set revoked_at = now()`;
    await expect(undo()).rejects.toThrow('0013_hold_sends cannot be undone now: sends by hand still wait');
    expect(await describeSchema(roles.owner)).toEqual(schema);
    await sql`delete from held_sends`;
    expect((await undo()).map(({ tag }) => tag)).toEqual(all.slice(8).reverse());
    await sql.end();
  });
});

test('what cannot be undone is named: old migrations, unknown ones, those of a newer version', async () => {
  await withDatabase(async ({ url, owner }) => {
    await migrate(url, { ownerUrl: owner });
    await expect(planUndo(owner, all[6] ?? '')).rejects.toThrow(`migration ${all[7]} cannot be undone`);
    await expect(planUndo(owner, '0099_unknown')).rejects.toThrow('there is no migration "0099_unknown"');
    expect((await planUndo(owner, all[7] ?? '')).map(({ tag }) => tag)).toEqual(all.slice(8).reverse());
    await withMigrations(all.length, { '9999_newer': 'CREATE TABLE "newer" ("id" integer)' }, (folder) =>
      migrate(owner, { folder }),
    );
    await expect(planUndo(owner, all[7] ?? '')).rejects.toThrow('this version does not know');
  });
});

test('a service of an older version serves on the schema of a newer one, and says so', async () => {
  await withDatabase(async ({ url, owner }) => {
    await withMigrations(all.length, { '9999_newer': 'CREATE TABLE "newer" ("id" integer)' }, (folder) =>
      migrate(owner, { folder }),
    );
    const service = await startService({
      DATABASE_URL: url,
      DATABASE_OWNER_URL: owner,
      AUTH_SECRET: 'x'.repeat(40),
      HOST: '127.0.0.1',
    });
    try {
      expect(service.output()).toContain('"msg":"a newer version migrated the database"');
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});

test('a rehearsal measures each missing migration, names the locked tables and changes nothing', async () => {
  await withDatabase(async (roles) => {
    await makeAsOf(9, roles, await makeOld());
    const before = [await describeSchema(roles.owner), await rowsOf(roles.owner)];
    const rehearsed = await rehearseMigrations(roles.owner);
    expect(rehearsed.map(({ tag }) => tag)).toEqual(all.slice(10));
    expect(rehearsed[0]).toMatchObject({
      tag: '0010_several_owners',
      ms: expect.any(Number),
      unreadable: ['accounts', 'audit_log', 'invitations'],
    });
    expect(rehearsed.every(({ walBytes }) => walBytes > 0)).toBe(true);
    expect([await describeSchema(roles.owner), await rowsOf(roles.owner)]).toEqual(before);
    await migrate(roles.url, { ownerUrl: roles.owner });
    expect(await rehearseMigrations(roles.owner)).toEqual([]);
  });
});

test('notif migrate lists what an undo loses, undoes with --yes, and rehearses', async () => {
  await withDatabase(async (roles) => {
    await makeAsOf(all.length - 1, roles, await makeOld());
    const settings = { DATABASE_URL: roles.url, DATABASE_OWNER_URL: roles.owner, AUTH_SECRET: 'x'.repeat(40) };
    const [newest = '', before = ''] = [all.at(-1), all.at(-2)];
    const listed = await runNotif(['migrate', '--undo-to', before], settings);
    expect([listed.code, listed.output]).toEqual([
      0,
      expect.stringMatching(new RegExp(`${newest}\\n {2}lost: .*\\.\\nNothing`)),
    ]);
    const undone = await runNotif(['migrate', '--undo-to', before, '--yes', '--json'], settings);
    expect(JSON.parse(undone.output)).toMatchObject({ ok: true, undone: true, migrations: [{ tag: newest }] });
    const rehearsed = await runNotif(['migrate', '--rehearse', '--json'], settings);
    expect(JSON.parse(rehearsed.output)).toMatchObject({ ok: true, rehearsed: [{ tag: newest }] });
    const refused = await runNotif(['migrate', '--undo-to', all[0] ?? '', '--yes'], settings);
    expect([refused.code, refused.problems]).toEqual([1, expect.stringContaining(`${all[7]} cannot be undone`)]);
  });
});
