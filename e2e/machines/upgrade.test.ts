import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { type Sql, withConnection } from '#db/driver/connect.ts';
import { migrate } from '#db/migrate.ts';
import { password } from '#e2e/support/data/company.ts';
import { signInForCookie } from '#e2e/support/http/cookie.ts';
import { type FreshDatabase, withFreshDatabase } from '#e2e/support/service/databases.ts';
import { root, startService } from '#e2e/support/service/service.ts';
import { hashPassword } from '#server/accounts/sign-in/passwords.ts';
import { fingerprintOf, generateKey } from '#server/keys/keys.ts';

type Migration = { idx: number; version: string; when: number; tag: string; breakpoints: boolean };

const folder = join(root, 'db', 'migrations');
const { entries: journal } = JSON.parse(await readFile(join(folder, 'meta', '_journal.json'), 'utf8')) as {
  entries: Migration[];
};

// A dump by pg_dump 18: the schema that the migrations of version 1.1 made, with rows in every table.
const version1_1 = gunzipSync(await readFile(join(import.meta.dirname, 'version-1.1.sql.gz'))).toString();
const invitationToken = 'b'.repeat(43);

const withEmpty = (use: (database: FreshDatabase) => Promise<void>) => withFreshDatabase({ isMigrated: false }, use);

/** Fills an empty database as version 1.1 left it. Returns the company's key. */
async function restoreVersion1_1({ ownerUrl }: FreshDatabase): Promise<string> {
  const key = generateKey();
  await withConnection(ownerUrl, async (sql) => {
    await sql.unsafe(version1_1);
    await sql`update api_keys set fingerprint = ${fingerprintOf(key)}`;
    await sql`update accounts set password_hash = ${await hashPassword(password)}`;
    await sql`update invitations set expires_at = now() + interval '1 day',
      token_hash = ${createHash('sha256').update(invitationToken).digest()}`;
    await sql`update held_sends set leaves_at = now() + interval '1 day'`;
  });
  return key;
}

async function countRows(sql: Sql): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) counts[name] = (await sql`select count(*)::int as rows from ${sql(name)}`)[0]?.rows;
  return counts;
}

// Everything but the order of columns.
function describeSchema(url: string): Promise<string[]> {
  return withConnection(url, async (sql) => {
    const rows = await sql<{ line: string }[]>`
      select concat_ws(' ', table_name, column_name, data_type, character_maximum_length, is_nullable, column_default,
        is_identity) as line
      from information_schema.columns where table_schema = 'public'
      union all select concat_ws(' ', relname, relkind, relpersistence, reloptions, relacl)
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
      order by 1`;
    return rows.map(({ line }) => line);
  });
}

/** Calls `use` with a folder of these migrations and further ones (name to SQL). */
async function withMigrations(
  migrations: Migration[],
  further: Record<string, string>,
  use: (folder: string) => Promise<unknown>,
): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'notif-migrations-'));
  try {
    await cp(folder, copy, { recursive: true });
    const entries = [...migrations];
    for (const [tag, text] of Object.entries(further)) {
      const last = entries.at(-1);
      if (last) entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag });
      await writeFile(join(copy, `${tag}.sql`), text);
    }
    await writeFile(join(copy, 'meta', '_journal.json'), JSON.stringify({ entries }));
    await use(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

test('a database of version 1.1 keeps all its rows and gets the schema of a new one', async () => {
  await withEmpty((fresh) =>
    withEmpty(async (old) => {
      await restoreVersion1_1(old);
      const counted = await withConnection(old.ownerUrl, countRows);
      const { held_sends, notification_roles, sign_in_failures, sign_in_guesses, ...before } = counted;
      expect(Object.entries(counted).filter(([, rows]) => rows === 0)).toEqual([]);
      expect(await migrate(old.url)).toEqual(journal.slice(1).map(({ tag }) => tag));
      expect(await migrate(fresh.url)).toEqual(journal.map(({ tag }) => tag));
      expect(await describeSchema(old.ownerUrl)).toEqual(await describeSchema(fresh.ownerUrl));
      // As the service's role, which may read each table. The send that waited waits in its new table.
      const after = await withConnection(old.url, countRows);
      const newTables = Object.fromEntries(Object.keys(after).flatMap((name) => (name in before ? [] : [[name, 0]])));
      const moved = {
        planned_sends: (before.planned_sends ?? 0) + (held_sends ?? 0),
        // One person has the role of the one send to a role.
        notification_people: (before.notification_people ?? 0) + (notification_roles ?? 0),
        limit_counters: sign_in_failures,
        failed_sign_ins: sign_in_guesses,
      };
      const kept = { ...before, ...moved };
      expect(after).toEqual({ ...newTables, ...kept });
      const waiting = await withConnection(
        old.url,
        (sql) => sql`select title, is_planned, undone_at from planned_sends where title = 'Menunggu'`,
      );
      expect(waiting).toEqual([{ title: 'Menunggu', is_planned: false, undone_at: null }]);
      expect(await migrate(old.url)).toEqual([]);
    }),
  );
});

const sendOf1_1 = (no: number, values = 'null, 0') => `
  insert into notifications (company_id, no, recipient_id, title, body, kind, reach, account_id, reminds_no, skipped)
  values (1, ${no}, -1, 'Judul', 'Isi', 'info', 1, 1, ${values});`;

test('sends to roles get their recipients of then, also one that is stored while the migration waits', async () => {
  await withEmpty(async (old) => {
    await restoreVersion1_1(old);
    await withConnection(old.ownerUrl, (sql) =>
      sql.unsafe(`
        delete from notification_people; delete from notification_roles where no = 3;
        insert into employees (company_id, id, name, role, active) overriding system value values
          (1, 11, 'Tetap', 'Kasir', true), (1, 12, 'Pindah', 'Koki', true), (1, 13, 'Keluar', 'Koki', false),
          (1, 14, 'Baru', 'Kasir', true), (1, 15, 'Kembali', 'Kasir', true);
        insert into employment (company_id, employee_id, from_no, until_no, role) values (1, 11, 0, null, null),
          (1, 12, 0, 5, 'Kasir'), (1, 12, 5, null, null), (1, 13, 0, 4, 'Koki'), (1, 14, 5, null, null),
          (1, 15, 0, 4, 'Kasir'), (1, 15, 5, null, null);
        ${[4, 5, 6, 7].map((no) => sendOf1_1(no)).join('')} ${sendOf1_1(8, '7, null')}
        insert into notification_roles (company_id, no, role) values (1, 3, 'Bekas'), (1, 4, 'Koki'), (1, 4, 'Kasir'),
          (1, 5, 'Kasir'), (1, 6, 'Koki');
        insert into notification_people (company_id, no, employee_id) values (1, 7, 1), (1, 7, 14), (1, 8, 14);`),
    );
    const before = journal.slice(
      0,
      journal.findIndex(({ tag }) => tag.endsWith('store_recipients_of_roles')),
    );
    await withMigrations(before, {}, (copy) => migrate(old.ownerUrl, { folder: copy }));
    let migrated: Promise<unknown> | undefined;
    await withConnection(old.ownerUrl, (sql) =>
      sql.begin(async (late) => {
        await late.unsafe(
          `${sendOf1_1(9)} insert into notification_roles (company_id, no, role) values (1, 9, 'Kasir')`,
        );
        migrated = migrate(old.url);
        const isWaiting = () => old.admin`
          select from pg_locks where not granted and relation = 'notifications'::regclass and mode = 'AccessExclusiveLock'`;
        await vi.waitUntil(async () => (await isWaiting()).length > 0, { timeout: 20_000 });
      }),
    );
    await migrated;
    const lists = await withConnection(
      old.url,
      (sql) => sql`
        select n.no, n.recipient_id as one, n.is_listed as "isListed", n.to_roles as roles, array(
          select employee_id from notification_people p where p.company_id = n.company_id and p.no = n.no order by 1) as people
        from notifications n order by n.no`,
    );
    const list = (no: number, roles: string[] | null, ...people: number[]) => ({
      ...{ no, one: null, isListed: true, roles, people },
    });
    expect(lists).toEqual([
      { no: 1, one: null, isListed: false, roles: null, people: [] },
      { no: 2, one: 1, isListed: false, roles: null, people: [] },
      list(3, ['Bekas']),
      list(4, ['Kasir', 'Koki'], 1, 11, 12, 13, 15),
      list(5, ['Kasir'], 1, 11, 12),
      list(6, ['Koki'], 12),
      list(7, null, 1, 14),
      list(8, null, 14),
      list(9, ['Kasir'], 1, 11, 14, 15),
    ]);
  });
});

test('a service starts on a database of version 1.1 and serves its key, inbox and invitation', async () => {
  await withEmpty(async (old) => {
    const key = await restoreVersion1_1(old);
    const settings = { DATABASE_URL: old.url, DATABASE_OWNER_URL: old.ownerUrl };
    const service = await startService({ ...settings, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1' });
    try {
      const ask = async (aksi: string) =>
        (await fetch(`${service.url}/api/v1/notif.php?aksi=${aksi}`, { headers: { 'X-API-Key': key } })).json();
      expect(await ask('ping')).toEqual({ ok: true, key: 'Kunci Lama', perusahaan: 'PT Lama' });
      expect(await ask('karyawan')).toMatchObject({ karyawan: [{ nama: 'Karyawan Satu' }, { nama: 'Karyawan Dua' }] });
      const cookie = await signInForCookie(service.url, 'karyawan-lama');
      const inbox = await fetch(`${service.url}/portal/inbox`, { headers: { cookie } });
      expect(await inbox.json()).toMatchObject({
        items: [
          { title: 'Untuk kasir', read: false },
          { title: 'Untuk satu', body: 'Isi lama', read: false },
          { title: 'Untuk semua', body: 'Isi lama', read: true },
        ],
      });
      expect(await (await fetch(`${service.url}/invite/${invitationToken}`)).text()).toContain('Karyawan Dua');
    } finally {
      await service.stop();
    }
  });
});

test('a database older than version 1.1 is refused with what to do, and stays as it is', async () => {
  await withEmpty(async (old) => {
    await restoreVersion1_1(old);
    await withConnection(old.ownerUrl, async (sql) => {
      await sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`;
    });
    const before = await describeSchema(old.ownerUrl);
    await expect(migrate(old.url)).rejects.toThrow('start version 1.1 once, then this version');
    expect(await describeSchema(old.ownerUrl)).toEqual(before);
  });
});

test('a failed migration changes nothing, undoes those before it, and is named in the error', async () => {
  await withEmpty(async ({ url, ownerUrl }) => {
    await withMigrations(journal, {}, (copy) => migrate(url, { folder: copy }));
    const broken =
      'CREATE TABLE "half" ("id" integer);--> statement-breakpoint\nALTER TABLE "missing" ADD COLUMN "x" integer;';
    const further = { '9998_add': 'CREATE TABLE "added" ("id" integer)', '9999_break_things': broken };
    await withMigrations(journal, further, async (copy) => {
      await expect(migrate(url, { folder: copy })).rejects.toThrow(
        'migration 9999_break_things failed: relation "missing" does not exist',
      );
    });
    const counts = await withConnection(ownerUrl, countRows);
    for (const table of ['half', 'added']) expect(Object.keys(counts)).not.toContain(table);
    expect(await migrate(url)).toEqual([]);
  });
});

test('a service of an older version serves on the schema of a newer one, and says so', async () => {
  await withEmpty(async ({ url, ownerUrl }) => {
    await withMigrations(journal, { '9999_newer': 'CREATE TABLE "newer" ("id" integer)' }, (copy) =>
      migrate(url, { folder: copy }),
    );
    const service = await startService({
      DATABASE_URL: url,
      DATABASE_OWNER_URL: ownerUrl,
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
