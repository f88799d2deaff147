import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { type Sql, type Transaction, withConnection } from '#db/driver/connect.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { grantPrivileges } from '#db/privileges.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { databaseUrl, directDatabaseUrl } from '#platform/config/database.ts';

// `ownerUrl`: the owner of the schema, when it is not the service's role. `serviceUrl`: where the service connects.
type MigrateOptions = { ownerUrl?: string | undefined; serviceUrl?: string; folder?: string };

const migrationsFolder = join(import.meta.dirname, 'migrations');

/**
 * Migrates the database to the newest schema as its owner (by default the one of `giveToService`, else the role of
 * `url`), and grants the service's role its privileges. One transaction with an advisory lock: processes that start
 * together wait, and a failure, which names its migration, changes nothing. Returns the names that it applied.
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

export const migrateDatabase = (ownerUrl?: string): Promise<string[]> =>
  migrate(directDatabaseUrl(), { ownerUrl, serviceUrl: databaseUrl() });

/** Reads how many migrations this version would add, and whether the database has one that it does not know. */
export async function readSchemaState(sql: Sql) {
  const [migrations, applied] = await Promise.all([listMigrations(migrationsFolder), sql.begin(listApplied)]);
  return {
    newest: applied.at(-1) ?? 'none',
    missing: migrations.filter((name) => !applied.includes(name)).length,
    isNewer: applied.some((name) => !migrations.includes(name)),
  };
}

// The name in the address may differ: poolers map role names.
async function roleAt(url: string): Promise<string | undefined> {
  const [row] = await withConnection(url, (sql) => sql<{ role: string }[]>`select current_user as role`);
  return row?.role;
}

async function listMigrations(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files.flatMap((file) => (file.endsWith('.sql') ? [file.slice(0, -4)] : [])).sort();
}

async function listApplied(transaction: Transaction): Promise<string[]> {
  const [state] = await transaction<{ isReady: boolean; isOld: boolean }[]>`
    select to_regclass('migrations.applied') is not null as "isReady",
      to_regclass('drizzle.__drizzle_migrations') is not null as "isOld"`;
  if (state?.isOld)
    throw new Error('the schema is older than the first release; use a new database (of a trial: delete its folder)');
  if (!state?.isReady) return [];
  const applied = await transaction<{ name: string }[]>`select name from migrations.applied order by name`;
  return applied.map(({ name }) => name);
}

async function migrateToNewest(transaction: Transaction, folder: string): Promise<string[]> {
  const [migrations, applied] = [await listMigrations(folder), await listApplied(transaction)];
  const missing = migrations.filter((name) => !applied.includes(name));
  if (missing.length > 0) await prepareTable(transaction);
  for (const name of missing) await applyMigration(transaction, folder, name);
  return missing;
}

async function prepareTable(transaction: Transaction): Promise<void> {
  try {
    await transaction`create schema if not exists migrations`;
    await transaction`create table if not exists migrations.applied (
      name text primary key, applied_at timestamptz not null default now())`;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '42501')) throw error;
    throw new Error(
      `the schema is not the newest and this role may not change it (${error.message}); set DATABASE_OWNER_URL to the role that owns it`,
      { cause: error },
    );
  }
}

async function applyMigration(transaction: Transaction, folder: string, name: string): Promise<void> {
  await transaction.unsafe(await readFile(join(folder, `${name}.sql`), 'utf8')).catch((error: unknown) => {
    if (!(error instanceof Error) || isDatabaseUnavailable(error)) throw error;
    throw new Error(`migration ${name} failed: ${error.message}`, { cause: error });
  });
  await transaction`insert into migrations.applied (name) values (${name})`;
}
