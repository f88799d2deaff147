import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import type postgres from 'postgres';
import { connect } from '#db/client.ts';
import { grantTo } from '#db/privileges.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { databaseUrl, takeOwnerUrl } from '#server/env.ts';

const lockId = 7_236_021;

/** Who migrates, unless it is the role of the service itself, and the folder of the migrations. */
export type MigrateOptions = { ownerUrl?: string | undefined; folder?: string };

/**
 * Brings the database at `url` to the newest schema and gives the role of `url` the privileges it needs, as the owner of the schema
 * (`ownerUrl`; one that this process knows by itself). Without an owner the role of `url` migrates, unless there is nothing to do.
 * Processes that start together wait for each other (advisory lock). A migration that fails leaves nothing behind, and the error names it.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<void> {
  const { ownerUrl = ownerUrlOf(url), folder = join(import.meta.dirname, 'migrations') } = options;
  const { sql, db } = connect(ownerUrl ?? url, 1);
  try {
    await sql`set statement_timeout = 0`;
    await sql`set lock_timeout = 0`;
    await sql`select pg_advisory_lock(${lockId})`;
    if (!ownerUrl && (await isNewest(sql, folder))) return;
    await runMigrations(db, { migrationsFolder: folder }).catch((error: unknown) => explain(error, folder));
    if (ownerUrl && roleOf(ownerUrl) !== roleOf(url)) await grantTo(sql, roleOf(url));
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const roleOf = (url: string) => decodeURIComponent(new URL(url).username);

type Entry = { tag: string; when: number };

async function listMigrations(folder: string): Promise<Entry[]> {
  const journal = await readFile(join(folder, 'meta', '_journal.json'), 'utf8');
  return (JSON.parse(journal) as { entries: Entry[] }).entries;
}

async function isNewest(sql: postgres.Sql<{ bigint: number }>, folder: string): Promise<boolean> {
  const newest = (await listMigrations(folder)).at(-1)?.when ?? 0;
  const [found] = await sql<{ at: number | null }[]>`
    select max(created_at) as at from drizzle.__drizzle_migrations`.catch(() => [{ at: null }]);
  return Number(found?.at ?? 0) >= newest;
}

// The driver keeps the statement with its error.
async function explain(error: unknown, folder: string): Promise<never> {
  if (!(error instanceof Error)) throw error;
  const statement = 'query' in error ? String(error.query) : '';
  for (const { tag } of await listMigrations(folder)) {
    const steps = (await readFile(join(folder, `${tag}.sql`), 'utf8')).split('--> statement-breakpoint');
    if (steps.includes(statement)) throw new Error(`migration ${tag} failed: ${error.message}`, { cause: error });
  }
  if ('code' in error && error.code === '42501')
    throw new Error(
      `the schema is not the newest and this role may not change it (${error.message}); set DATABASE_OWNER_URL to the role that owns it`,
      { cause: error },
    );
  throw error;
}

if (import.meta.main) await migrate(databaseUrl(), { ownerUrl: takeOwnerUrl() });
