import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '#db/driver/connect.ts';
import { listApplied, type Migration, migrationsFolder, readJournal, runSteps } from '#db/journal.ts';
import { beginMigration } from '#db/migrate.ts';

/** A migration that can be undone, and what is lost with it (the first line of its undo file). */
export type Undo = Migration & { lost: string; text: string };

/**
 * Lists what must be undone so that `to` is the newest migration, newest first. Throws a sentence
 * for the operator when `to` is unknown, when the database has migrations of a newer version, or
 * when one of them cannot be undone.
 */
export async function planUndo(url: string, to: string): Promise<Undo[]> {
  const sql = connect(url, 1);
  try {
    return await listUndos(await sql.begin((transaction) => listApplied(transaction)), to);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function listUndos(applied: number[], to: string): Promise<Undo[]> {
  const journal = await readJournal();
  const target = journal.find(({ tag }) => tag === to);
  if (!target) throw new Error(`there is no migration "${to}"`);
  const undone = applied.filter((when) => when > target.when).reverse();
  return Promise.all(
    undone.map(async (when) => {
      const migration = journal.find((one) => one.when === when);
      if (!migration)
        throw new Error('the database has a migration that this version does not know; undo it with the newer version');
      const text = await readUndo(migration.tag);
      if (text === null) throw new Error(`migration ${migration.tag} cannot be undone; restore a backup`);
      return { ...migration, text, lost: /^-- Lost: (.*)$/m.exec(text)?.[1] ?? '' };
    }),
  );
}

/** The text of a migration's undo file, or null. */
export function readUndo(tag: string): Promise<string | null> {
  return readFile(join(migrationsFolder, 'undo', `${tag}.sql`), 'utf8').catch(() => null);
}

/**
 * Undoes all migrations after `to` in one transaction, as the schema's owner at `ownerUrl`. No
 * service may run meanwhile. Returns what was undone. Throws as `planUndo` does, and when a file
 * refuses because something would become unsafe; then nothing is changed.
 */
export async function undoMigrations(ownerUrl: string, to: string): Promise<Undo[]> {
  const sql = connect(ownerUrl, 1);
  try {
    return await sql.begin(async (transaction) => {
      await beginMigration(transaction);
      const undos = await listUndos(await listApplied(transaction), to);
      for (const { tag, when, text } of undos) {
        await runSteps(transaction, text, `migration ${tag} cannot be undone now`);
        await transaction`delete from drizzle.__drizzle_migrations where created_at = ${when}`;
      }
      return undos;
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
