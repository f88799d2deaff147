import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { type Sql, type Transaction, withConnection } from '#db/driver/connect.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { ensureSessionLimits } from '#db/driver/session-limits.ts';
import { grantPrivileges } from '#db/privileges.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { EnvError } from '#platform/config/checks.ts';
import { databaseUrl, directDatabaseUrl, takeOwnerUrl } from '#platform/config/database.ts';
import { loadSettings } from '#platform/config/settings.ts';

/** One migration: the name of its file without `.sql`, and its time, which orders migrations. */
type Migration = { tag: string; when: number };

// `ownerUrl`: the role that owns the schema, when it is not the service's own role. `serviceUrl`:
// where the service connects, when it is not the address that is migrated. `folder`: the folder of
// the migrations.
type MigrateOptions = { ownerUrl?: string | undefined; serviceUrl?: string; folder?: string };

// Which migrations a database has: the name of its newest one, how many this version would add, and
// whether it has one that only a newer version knows.
type SchemaState = { newest: string; missing: number; isNewer: boolean };

const migrationsFolder = join(import.meta.dirname, 'migrations');

/**
 * Migrates the database at `url` to the newest schema and grants the service's role its privileges.
 * Runs as the schema's owner (`ownerUrl`; by default the one that `giveToService` stored). Without
 * an owner the role of `url` migrates; it needs no rights when the schema is the newest. An
 * advisory lock makes processes that start together wait for each other. Everything is one
 * transaction, so a pooler cannot separate the lock from the work, and a failed migration changes
 * nothing. Throws an error that names the failed one. Returns the names of those that it applied.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder = migrationsFolder, ownerUrl = ownerUrlOf(url), serviceUrl = url } = options;
  // One after another: a reload has a single connection for this.
  const roles = ownerUrl ? [await roleAt(ownerUrl), await roleAt(serviceUrl)] : [];
  const work = async (transaction: Transaction) => {
    await transaction`set local statement_timeout = 0`;
    await transaction`set local lock_timeout = 0`;
    await transaction`set local idle_in_transaction_session_timeout = 0`;
    await transaction`select pg_advisory_xact_lock(${advisoryLocks.migration})`;
    const applied = await migrateToNewest(transaction, folder);
    const [owner, service] = roles;
    if (service && service !== owner) await grantPrivileges(transaction, service);
    return applied;
  };
  return await withConnection(ownerUrl ?? url, (sql) => sql.begin(work));
}

/** Migrates the database of the settings. Returns as `migrate` does. */
export const migrateDatabase = (ownerUrl?: string): Promise<string[]> =>
  migrate(directDatabaseUrl(), { ownerUrl, serviceUrl: databaseUrl() });

/** Reads which migrations the database has and lacks. Changes nothing. */
export async function readSchemaState(sql: Sql): Promise<SchemaState> {
  const [journal, applied] = await Promise.all([readJournal(migrationsFolder), sql.begin(findNewest)]);
  return {
    newest: journal.find(({ when }) => when === applied)?.tag ?? String(applied || 'none'),
    missing: journal.filter(({ when }) => when > applied).length,
    isNewer: applied > (journal.at(-1)?.when ?? 0),
  };
}

// The name in the address may differ: poolers map role names.
async function roleAt(url: string): Promise<string | undefined> {
  const [row] = await withConnection(url, (sql) => sql<{ role: string }[]>`select current_user as role`);
  return row?.role;
}

async function readJournal(folder: string): Promise<Migration[]> {
  const journal = await readFile(join(folder, 'meta', '_journal.json'), 'utf8');
  return (JSON.parse(journal) as { entries: Migration[] }).entries;
}

// The time of the newest migration that the database has, or 0.
async function findNewest(transaction: Transaction): Promise<number> {
  const [table] = await transaction<{ exists: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  if (!table?.exists) return 0;
  const [row] = await transaction<{ newest: number | null }[]>`
    select max(created_at) as newest from drizzle.__drizzle_migrations`;
  return row?.newest ?? 0;
}

// Drizzle's own migrator takes 0.4 s and 150 MB to load. This one writes the same table and hashes.
async function migrateToNewest(transaction: Transaction, folder: string): Promise<string[]> {
  const [journal, newest] = [await readJournal(folder), await findNewest(transaction)];
  // The first migration has the time of the last one of version 1.1, whose schema it creates.
  if (newest > 0 && newest < (journal[0]?.when ?? 0))
    throw new Error('the schema is older than that of version 1.1; start version 1.1 once, then this version');
  const missing = journal.filter(({ when }) => when > newest);
  if (missing.length > 0) await prepareTable(transaction);
  for (const migration of missing) await applyMigration(transaction, folder, migration);
  return missing.map(({ tag }) => tag);
}

async function prepareTable(transaction: Transaction): Promise<void> {
  try {
    await transaction`create schema if not exists drizzle`;
    await transaction`create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint)`;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '42501')) throw error;
    throw new Error(
      `the schema is not the newest and this role may not change it (${error.message}); set DATABASE_OWNER_URL to the role that owns it`,
      { cause: error },
    );
  }
}

async function applyMigration(transaction: Transaction, folder: string, { tag, when }: Migration): Promise<void> {
  const text = await readFile(join(folder, `${tag}.sql`), 'utf8');
  for (const step of text.split('--> statement-breakpoint'))
    await transaction.unsafe(step).catch((error: unknown) => {
      if (!(error instanceof Error) || isDatabaseUnavailable(error)) throw error;
      throw new Error(`migration ${tag} failed: ${error.message}`, { cause: error });
    });
  const hash = createHash('sha256').update(text).digest('hex');
  await transaction`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
}

if (import.meta.main)
  try {
    loadSettings();
    await migrateDatabase(takeOwnerUrl());
    await ensureSessionLimits(databaseUrl());
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
