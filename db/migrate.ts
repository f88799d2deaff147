import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { connect, type Transaction } from '#db/driver/connect.ts';
import { ensureSessionLimits } from '#db/driver/session-limits.ts';
import { grantPrivileges } from '#db/privileges.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { databaseUrl, directDatabaseUrl, takeOwnerUrl } from '#server/env.ts';

/**
 * `ownerUrl`: the role that owns the schema, when it is not the service's own role. `serviceUrl`:
 * where the service connects, when it is not the address that is migrated. `folder`: the folder of
 * the migrations.
 */
export type MigrateOptions = { ownerUrl?: string | undefined; serviceUrl?: string; folder?: string };

/**
 * Migrates the database at `url` to the newest schema and grants the service's role its privileges.
 * Runs as the schema's owner (`ownerUrl`; by default the one that `giveToService` stored). Without
 * an owner the role of `url` migrates; it needs no rights when the schema is the newest. An
 * advisory lock makes processes that start together wait for each other. Everything is one
 * transaction, so a pooler cannot separate the lock from the work, and a failed migration changes
 * nothing. Throws an error that names the failed migration.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<void> {
  const { ownerUrl = ownerUrlOf(url), serviceUrl = url, folder = join(import.meta.dirname, 'migrations') } = options;
  const roles = ownerUrl ? [await roleAt(ownerUrl), await roleAt(serviceUrl)] : [];
  const sql = connect(ownerUrl ?? url, 1);
  try {
    await sql.begin(async (transaction) => {
      await transaction`set local statement_timeout = 0`;
      await transaction`set local lock_timeout = 0`;
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      await transaction`select pg_advisory_xact_lock(${advisoryLocks.migration})`;
      if (!ownerUrl && (await isNewest(transaction, folder))) return;
      // drizzle's migrator begins a transaction; inside ours that has to be a savepoint.
      const savepointTransaction = Object.assign(transaction, { options: sql.options, begin: transaction.savepoint });
      await runMigrations(drizzle(savepointTransaction as unknown as typeof sql), { migrationsFolder: folder }).catch(
        (error: unknown) => explain(error, folder),
      );
      const [owner, service] = roles;
      if (service && service !== owner) await grantPrivileges(transaction, service);
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
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

type Entry = { tag: string; when: number };

async function listMigrations(folder: string): Promise<Entry[]> {
  const journal = await readFile(join(folder, 'meta', '_journal.json'), 'utf8');
  return (JSON.parse(journal) as { entries: Entry[] }).entries;
}

async function isNewest(transaction: Transaction, folder: string): Promise<boolean> {
  const newest = (await listMigrations(folder)).at(-1)?.when ?? 0;
  const [found] = await transaction
    .savepoint(
      (inner) => inner<{ at: number | null }[]>`select max(created_at) as at from drizzle.__drizzle_migrations`,
    )
    .catch(() => [{ at: null }]);
  return Number(found?.at ?? 0) >= newest;
}

// drizzle wraps the driver's error, which carries the statement. It is looked up in the migrations.
async function explain(wrapped: unknown, folder: string): Promise<never> {
  const error = wrapped instanceof Error && wrapped.cause instanceof Error ? wrapped.cause : wrapped;
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

if (import.meta.main) {
  await migrate(directDatabaseUrl(), { ownerUrl: takeOwnerUrl(), serviceUrl: databaseUrl() });
  await ensureSessionLimits(databaseUrl());
}
