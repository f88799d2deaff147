import { join } from 'node:path';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import { connect } from '#db/client.ts';
import { databaseUrl } from '#server/env.ts';

const lockId = 7_236_021;

/**
 * Brings the database at `url` to the newest schema. Processes that start together wait for each other
 * (advisory lock); a migration that fails leaves nothing behind.
 */
export async function migrate(url: string): Promise<void> {
  const { sql, db } = connect(url, 1);
  try {
    await sql`set statement_timeout = 0`;
    await sql`set lock_timeout = 0`;
    await sql`select pg_advisory_lock(${lockId})`;
    await runMigrations(db, { migrationsFolder: join(import.meta.dirname, 'migrations') });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

if (import.meta.main) await migrate(databaseUrl());
