import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withConnection } from '#db/driver/connect.ts';
import { migrate } from '#db/migrate.ts';
import { type FreshDatabase, withFreshDatabase } from '#e2e/support/service/databases.ts';
import { root, startService } from '#e2e/support/service/service.ts';

const folder = join(root, 'db', 'migrations');
const names = (await readdir(folder)).map((file) => file.replace(/\.sql$/, '')).sort();

const withEmpty = (use: (database: FreshDatabase) => Promise<void>) => withFreshDatabase({ isMigrated: false }, use);

const listTables = ({ ownerUrl }: FreshDatabase): Promise<string[]> =>
  withConnection(ownerUrl, async (sql) => {
    const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
    return tables.map(({ name }) => name);
  });

/** Calls `use` with a folder of all migrations and further ones (name to SQL). */
async function withMigrations(
  further: Record<string, string>,
  use: (folder: string) => Promise<unknown>,
): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'notif-migrations-'));
  try {
    await cp(folder, copy, { recursive: true });
    for (const [name, text] of Object.entries(further)) await writeFile(join(copy, `${name}.sql`), text);
    await use(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

test('each migration runs once, in the order of the names', async () => {
  await withEmpty(async ({ url }) => {
    expect(await migrate(url)).toEqual(names);
    const further = { '9999_second': 'alter table added add column x integer', '9998_first': 'create table added ()' };
    await withMigrations(further, async (copy) => {
      expect(await migrate(url, { folder: copy })).toEqual(['9998_first', '9999_second']);
      expect(await migrate(url, { folder: copy })).toEqual([]);
    });
  });
});

test('a database from before the first release is refused with what to do, and stays as it is', async () => {
  await withEmpty(async (old) => {
    await withConnection(old.ownerUrl, (sql) =>
      sql.unsafe('create schema drizzle; create table drizzle.__drizzle_migrations (hash text)'),
    );
    await expect(migrate(old.url)).rejects.toThrow('older than the first release; use a new database');
    expect(await listTables(old)).toEqual([]);
  });
});

test('a failed migration changes nothing, undoes those before it, and is named in the error', async () => {
  await withEmpty(async (database) => {
    const { url } = database;
    await migrate(url);
    const broken = 'create table half (id integer); alter table missing add column x integer;';
    const further = { '9998_add': 'create table added (id integer)', '9999_break_things': broken };
    await withMigrations(further, async (copy) => {
      await expect(migrate(url, { folder: copy })).rejects.toThrow(
        'migration 9999_break_things failed: relation "missing" does not exist',
      );
    });
    const tables = await listTables(database);
    for (const table of ['half', 'added']) expect(tables).not.toContain(table);
    expect(await migrate(url)).toEqual([]);
  });
});

test('a service of an older version serves on the schema of a newer one, and says so', async () => {
  await withEmpty(async ({ url, ownerUrl }) => {
    await withMigrations({ '9999_newer': 'create table newer (id integer)' }, (copy) => migrate(url, { folder: copy }));
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
