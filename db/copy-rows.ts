import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { countRows, listTables, type RowCounts } from '#db/contents.ts';
import { connect, type Transaction } from '#db/driver/connect.ts';

/** The tables of the two databases differ, or what was copied differs from its source. */
export class CopyError extends Error {}

/** What a copy reports: the table that it begins, and how many there are. */
export type OnTable = (table: string, place: number, all: number) => void;

/**
 * Copies all rows of all tables from one database to another, whose tables are equal and empty, and
 * continues its sequences where the source's are. Reads one snapshot of the source and changes
 * nothing there. All is one transaction of the target: after an error or an abort nothing is copied.
 * At the end it compares the number of rows of each table and a checksum of their contents. Returns
 * the counts. Both addresses lead to the owners of the tables, past a pooler.
 */
export async function copyRows(
  { from, to, signal }: { from: string; to: string; signal: AbortSignal },
  onTable: OnTable,
): Promise<RowCounts> {
  const [source, target] = [connect(from, 1), connect(to, 1)];
  const abort = () => void Promise.all([source.end({ timeout: 0 }), target.end({ timeout: 0 })]);
  signal.addEventListener('abort', abort);
  try {
    return await source.begin('isolation level repeatable read read only', (reading) =>
      target.begin(async (writing) => {
        for (const tx of [reading, writing]) await liftLimits(tx);
        return copyAll(reading, writing, onTable);
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    await Promise.all([source.end({ timeout: 5 }), target.end({ timeout: 5 })]);
  }
}

async function liftLimits(tx: Transaction): Promise<void> {
  for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    await tx`select set_config(${name}, '0', true)`;
}

async function copyAll(reading: Transaction, writing: Transaction, onTable: OnTable): Promise<RowCounts> {
  const tables = await inOrderOfReferences(reading, await listTables(reading));
  const columns = await listColumns(reading);
  if (JSON.stringify(await listColumns(writing)) !== JSON.stringify(columns))
    throw new CopyError('the tables of the two databases differ; use a new, empty one');
  for (const [place, table] of tables.entries()) {
    onTable(table, place + 1, tables.length);
    await copyTable(reading, writing, table, columns[table] ?? []);
  }
  await continueSequences(reading, writing);
  return await requireEqual(reading, writing, tables);
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

async function copyTable(reading: Transaction, writing: Transaction, table: string, columns: string[]): Promise<void> {
  const list = `public.${quote(table)} (${columns.map(quote).join(', ')})`;
  const [rows, writable] = await Promise.all([
    reading.unsafe(`copy ${list} to stdout`).readable(),
    writing.unsafe(`copy ${list} from stdin`).writable(),
  ]);
  await pipeline(rows, writable);
  if (!writable.closed) await once(writable, 'close');
}

/** The columns of each table by its name, in their order; generated ones are computed again. */
async function listColumns(tx: Transaction): Promise<Record<string, string[]>> {
  const rows = await tx<{ table: string; columns: string[] }[]>`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`;
  return Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
}

/** A table after all tables that its foreign keys name. */
async function inOrderOfReferences(tx: Transaction, tables: string[]): Promise<string[]> {
  const references = await tx<{ from: string; to: string }[]>`
    select distinct a.relname as from, b.relname as to from pg_constraint k
    join pg_class a on a.oid = k.conrelid join pg_class b on b.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and a.oid <> b.oid`;
  const ordered: string[] = [];
  while (ordered.length < tables.length) {
    const next = tables.filter(
      (table) => !ordered.includes(table) && references.every(({ from, to }) => from !== table || ordered.includes(to)),
    );
    if (next.length === 0) throw new CopyError('tables refer to each other in a circle');
    ordered.push(...next);
  }
  return ordered;
}

async function continueSequences(reading: Transaction, writing: Transaction): Promise<void> {
  const sequences = await reading<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c
    where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace`;
  for (const { name } of sequences) {
    const [at] = await reading.unsafe(`select last_value, is_called from ${name}`);
    await writing`select setval(${name}::regclass, ${at?.last_value}::bigint, ${at?.is_called}::boolean)`;
  }
}

async function requireEqual(reading: Transaction, writing: Transaction, tables: string[]): Promise<RowCounts> {
  const counts = await countRows(reading, tables);
  const copied = await countRows(writing, tables);
  for (const table of tables) {
    if (counts[table] !== copied[table])
      throw new CopyError(`${table} has ${copied[table]} rows instead of ${counts[table]}`);
    if ((await checksum(reading, table)) !== (await checksum(writing, table)))
      throw new CopyError(`the rows of ${table} differ from their source`);
  }
  return counts;
}

// Independent of the order of the rows. Both sessions write times in UTC.
async function checksum(tx: Transaction, table: string): Promise<string> {
  const [row] = await tx<{ sum: string }[]>`
    select coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text as sum from ${tx(`public.${table}`)} t`;
  return row?.sum ?? '';
}
