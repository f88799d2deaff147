import { advisoryLocks } from '#db/advisory-locks.ts';
import { connect, type Transaction } from '#db/driver/connect.ts';
import { ensureSessionLimits } from '#db/driver/session-limits.ts';
import { applyMigration, listApplied, type Migration, migrationsFolder, readJournal } from '#db/journal.ts';
import { grantPrivileges } from '#db/privileges.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { databaseUrl, directDatabaseUrl, EnvError, loadSettings, takeOwnerUrl } from '#server/env.ts';

/**
 * `ownerUrl`: the role that owns the schema, when it is not the service's own role. `serviceUrl`:
 * where the service connects, when it is not the address that is migrated. `folder`: the folder of
 * the migrations. `until`: the time of the last migration to apply.
 */
export type MigrateOptions = { ownerUrl?: string | undefined; serviceUrl?: string; folder?: string; until?: number };

/**
 * Migrates the database at `url` to the newest schema and grants the service's role its privileges.
 * Runs as the schema's owner (`ownerUrl`; by default the one that `giveToService` stored). Without
 * an owner the role of `url` migrates; it needs no rights when the schema is the newest. An
 * advisory lock makes processes that start together wait for each other. Everything is one
 * transaction, so a pooler cannot separate the lock from the work, and a failed migration changes
 * nothing. Throws an error that names the failed migration. Returns the names of the migrations that
 * it applied.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder = migrationsFolder, until, ...roles } = options;
  return changeSchema(url, roles, (transaction) => migrateToNewest(transaction, folder, until));
}

/**
 * Runs `work` as the schema's owner in one transaction, under the lock of migrations, and then grants
 * the service's role its privileges.
 */
export async function changeSchema<Result>(
  url: string,
  { ownerUrl = ownerUrlOf(url), serviceUrl = url }: Omit<MigrateOptions, 'folder' | 'until'>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  // One after another: a reload has a single connection for this.
  const roles = ownerUrl ? [await roleAt(ownerUrl), await roleAt(serviceUrl)] : [];
  const sql = connect(ownerUrl ?? url, 1);
  try {
    return (await sql.begin(async (transaction) => {
      await beginMigration(transaction);
      const result = await work(transaction);
      const [owner, service] = roles;
      if (service && service !== owner) await grantPrivileges(transaction, service);
      return result;
    })) as Result;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Lifts the time limits of this transaction and waits until no other process migrates. */
export async function beginMigration(transaction: Transaction): Promise<void> {
  await transaction`set local statement_timeout = 0`;
  await transaction`set local lock_timeout = 0`;
  await transaction`set local idle_in_transaction_session_timeout = 0`;
  await transaction`select pg_advisory_xact_lock(${advisoryLocks.migration})`;
}

// The name in the address may differ: poolers map role names.
async function roleAt(url: string): Promise<string | undefined> {
  const sql = connect(url, 1);
  try {
    const [row] = await sql<{ role: string }[]>`select current_user as role`;
    return row?.role;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

// Drizzle's own migrator takes 0.4 s and 150 MB to load. This one keeps its table and hashes.
async function migrateToNewest(transaction: Transaction, folder: string, until = Number.POSITIVE_INFINITY) {
  const missing = (await listMissing(transaction, folder)).filter(({ when }) => when <= until);
  if (missing.length === 0) return [];
  await prepareTable(transaction);
  for (const migration of missing) await applyMigration(transaction, folder, migration);
  return missing.map(({ tag }) => tag);
}

/** The migrations that the database lacks, oldest first. */
export async function listMissing(transaction: Transaction, folder?: string): Promise<Migration[]> {
  const newest = (await listApplied(transaction)).at(-1) ?? 0;
  return (await readJournal(folder)).filter(({ when }) => when > newest);
}

/** Creates the table that lists the applied migrations. Throws when the role may not. */
export async function prepareTable(transaction: Transaction): Promise<void> {
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

async function run(): Promise<void> {
  loadSettings();
  await migrate(directDatabaseUrl(), { ownerUrl: takeOwnerUrl(), serviceUrl: databaseUrl() });
  await ensureSessionLimits(databaseUrl());
}

if (import.meta.main)
  await run().catch((error: unknown) => {
    if (!(error instanceof EnvError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
