import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import { connect } from '#db/client.ts';
import { boundWaits } from '#db/wait-limits.ts';
import { databaseUrl, directDatabaseUrl } from '#server/env.ts';

const lockId = 7_236_021;

/**
 * Brings the database at `url` to the newest schema. Processes that start together wait for each other (advisory lock); a migration
 * that fails leaves nothing behind. All of it is one transaction, so that a pooler cannot part the lock and the work.
 */
export async function migrate(url: string): Promise<void> {
  const { sql } = connect(url, 1);
  try {
    await sql.begin(async (transaction) => {
      await transaction`set local statement_timeout = 0`;
      await transaction`set local lock_timeout = 0`;
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      await transaction`select pg_advisory_xact_lock(${lockId})`;
      // drizzle begins a transaction of its own; within ours that is a savepoint.
      const within = Object.assign(transaction, { options: sql.options, begin: transaction.savepoint });
      await runMigrations(drizzle(within as unknown as typeof sql), {
        migrationsFolder: join(import.meta.dirname, 'migrations'),
      });
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

if (import.meta.main) {
  await migrate(directDatabaseUrl());
  await boundWaits(databaseUrl());
}
