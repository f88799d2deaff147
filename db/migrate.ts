import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import { readAddress } from '#db/address.ts';
import { connect } from '#db/client.ts';
import { grantTo, type Transaction } from '#db/privileges.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { boundWaits } from '#db/wait-limits.ts';
import { databaseUrl, directDatabaseUrl, takeOwnerUrl } from '#server/env.ts';

const lockId = 7_236_021;

/** Who migrates, unless it is the role of the service itself, and the folder of the migrations. */
export type MigrateOptions = { ownerUrl?: string | undefined; folder?: string };

/**
 * Brings the database at `url` to the newest schema and gives the role of `url` the privileges it needs, as the owner of the schema
 * (`ownerUrl`; one that this process knows by itself). Without an owner the role of `url` migrates, unless there is nothing to do.
 * Processes that start together wait for each other (advisory lock). All of it is one transaction, so that a pooler cannot part the lock and
 * the work; a migration that fails leaves nothing behind, and the error names it.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<void> {
  const { ownerUrl = ownerUrlOf(url), folder = join(import.meta.dirname, 'migrations') } = options;
  const { sql } = connect(ownerUrl ?? url, 1);
  try {
    await sql.begin(async (transaction) => {
      await transaction`set local statement_timeout = 0`;
      await transaction`set local lock_timeout = 0`;
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      await transaction`select pg_advisory_xact_lock(${lockId})`;
      if (!ownerUrl && (await isNewest(transaction, folder))) return;
      // drizzle begins a transaction of its own; within ours that is a savepoint.
      const within = Object.assign(transaction, { options: sql.options, begin: transaction.savepoint });
      await runMigrations(drizzle(within as unknown as typeof sql), { migrationsFolder: folder }).catch(
        (error: unknown) => explain(error, folder),
      );
      if (ownerUrl && roleOf(ownerUrl) !== roleOf(url)) await grantTo(transaction, roleOf(url));
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const roleOf = (url: string) => decodeURIComponent(new URL(readAddress(url).url).username);

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

if (import.meta.main) {
  await migrate(directDatabaseUrl(), { ownerUrl: takeOwnerUrl() });
  await boundWaits(databaseUrl());
}
