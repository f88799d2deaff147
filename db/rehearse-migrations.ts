import { connect, type Transaction } from '#db/driver/connect.ts';
import { applyMigration, type Migration, migrationsFolder } from '#db/journal.ts';
import { beginMigration, listMissing, prepareTable } from '#db/migrate.ts';

/**
 * What a migration took: time in milliseconds, write-ahead log in bytes, and the existing tables
 * that from here to the end no other session could read (`unreadable`) or write (`unwritable`).
 */
export type Rehearsal = Migration & { ms: number; walBytes: number; unreadable: string[]; unwritable: string[] };

const unwritableModes = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

/**
 * Runs the migrations that the database at `url` lacks, measures each, and undoes all of them. `url`
 * is the schema's owner. Holds the same locks as the migration, so run it on a restored copy. Index
 * pages and rows that it wrote are left to vacuum.
 */
export async function rehearseMigrations(url: string, folder = migrationsFolder): Promise<Rehearsal[]> {
  const sql = connect(url, 1);
  const rehearsed: Rehearsal[] = [];
  const undone = new Error('the rehearsal ends');
  try {
    await sql.begin(async (transaction) => {
      await beginMigration(transaction);
      const missing = await listMissing(transaction, folder);
      if (missing.length > 0) await prepareTable(transaction);
      const tables = new Set(await listTables(transaction));
      const [unreadable, unwritable] = [new Set<string>(), new Set<string>()];
      for (const migration of missing) {
        const [started, before] = [performance.now(), await walPosition(transaction)];
        await applyMigration(transaction, folder, migration);
        const ms = performance.now() - started;
        const walBytes = (await walPosition(transaction)) - before;
        const locks = (await listLocks(transaction)).filter(({ table }) => tables.has(table));
        rehearsed.push({
          ...migration,
          ms,
          walBytes,
          unreadable: addNew(unreadable, locks, ['AccessExclusiveLock']),
          unwritable: addNew(unwritable, locks, unwritableModes),
        });
      }
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  } finally {
    await sql.end({ timeout: 5 });
  }
  return rehearsed;
}

async function listTables(transaction: Transaction): Promise<string[]> {
  const rows = await transaction<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public'`;
  return rows.map(({ name }) => name);
}

async function walPosition(transaction: Transaction): Promise<number> {
  const [row] = await transaction<{ bytes: number }[]>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as bytes`;
  return row?.bytes ?? 0;
}

type Lock = { table: string; mode: string };

// Locks last until the end of the transaction, so those of earlier migrations are left out.
function addNew(seen: Set<string>, locks: Lock[], modes: string[]): string[] {
  const fresh = locks.filter(({ table, mode }) => modes.includes(mode) && !seen.has(table)).map(({ table }) => table);
  for (const table of fresh) seen.add(table);
  return [...new Set(fresh)];
}

function listLocks(transaction: Transaction): Promise<Lock[]> {
  return transaction<Lock[]>`
    select c.relname as table, l.mode from pg_locks l join pg_class c on c.oid = l.relation
    join pg_namespace n on n.oid = c.relnamespace
    where l.pid = pg_backend_pid() and n.nspname = 'public' and c.relkind in ('r', 'p') order by 1`;
}
