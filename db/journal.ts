import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Transaction } from '#db/driver/connect.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';

/** One migration: the name of its file without `.sql`, and its time, which orders migrations. */
export type Migration = { tag: string; when: number };

/** The folder of the migrations of this version. */
export const migrationsFolder = join(import.meta.dirname, 'migrations');

/** Lists the migrations of a folder, oldest first. */
export async function readJournal(folder = migrationsFolder): Promise<Migration[]> {
  const journal = await readFile(join(folder, 'meta', '_journal.json'), 'utf8');
  const { entries } = JSON.parse(journal) as { entries: Migration[] };
  return entries.map(({ tag, when }) => ({ tag, when }));
}

/** The times of the migrations that the database has, oldest first. */
export async function listApplied(transaction: Transaction): Promise<number[]> {
  const [found] = await transaction<{ isThere: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as "isThere"`;
  if (!found?.isThere) return [];
  const rows = await transaction<{ at: number }[]>`
    select created_at as at from drizzle.__drizzle_migrations order by created_at`;
  return rows.map(({ at }) => at);
}

/** Whether the database at `url` has migrations that this version does not know. */
export async function isNewerSchema(url: string): Promise<boolean> {
  const sql = connect(url, 1);
  try {
    const known = new Set((await readJournal()).map(({ when }) => when));
    const applied = await sql.begin((transaction) => listApplied(transaction));
    return applied.some((when) => !known.has(when));
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Runs one migration and notes it, within a transaction. Throws an error that names the migration.
 */
export async function applyMigration(transaction: Transaction, folder: string, { tag, when }: Migration) {
  const text = await readFile(join(folder, `${tag}.sql`), 'utf8');
  await runSteps(transaction, text, `migration ${tag} failed`);
  const hash = createHash('sha256').update(text).digest('hex');
  await transaction`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
}

/** Runs the statements of a migration's file. Throws an error that begins with `failure`. */
export async function runSteps(transaction: Transaction, text: string, failure: string): Promise<void> {
  for (const step of text.split('--> statement-breakpoint'))
    await transaction.unsafe(step).catch((error: unknown) => {
      if (!(error instanceof Error) || isDatabaseUnavailable(error)) throw error;
      throw new Error(`${failure}: ${error.message}`, { cause: error });
    });
}
