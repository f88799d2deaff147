import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { advisoryLocks } from '#db/advisory-locks.ts';
import type { Sql, Transaction } from '#db/driver/connect.ts';
import { placesLastMs } from '#db/servers.ts';

/** Two connections to a server as the owner of its schema, and the number of the server. */
export type Owner = { server: number; url: string; sql: Sql };

type Work<Result> = (tx: Transaction) => PromiseLike<Result>;

/** Where a company is, to which server a move has begun, and which ones still have rows after a move. */
type Whereabouts = { name: string; at: Owner; to: Owner | undefined; leftOn: Owner[] };

/** Why a move cannot go on now. It can be repeated. */
export class MoveRefused extends Error {}

/** Runs `work` while no other run moves this company. Throws `MoveRefused` when one does. */
export function holdMove<Result>([first]: Owner[], companyId: number, work: () => Promise<Result>): Promise<Result> {
  if (!first) throw new Error('there is no server');
  return inMove(first, async (tx) => {
    await lock(tx, advisoryLocks.companyMove, companyId);
    return work();
  });
}

/** Finds a company on all servers; null when none has it. */
export async function findWhereabouts(owners: Owner[], companyId: number): Promise<Whereabouts | null> {
  const rows = await Promise.all(
    owners.map(async (at) => {
      const [row] = await at.sql<{ name: string; server: number }[]>`
        select name, coalesce(server, ${at.server}) as server from companies where id = ${companyId}`;
      return row ? [{ ...row, at }] : [];
    }),
  );
  const all = rows.flat();
  const here = all.find(({ server, at }) => server === at.server) ?? all[0];
  if (!here) return null;
  const leftOn = all.filter((row) => row !== here).map(({ at }) => at);
  return { name: here.name, at: here.at, to: here.server === here.at.server ? undefined : owners[here.server], leftOn };
}

/**
 * Moves a company's rows to another server, which serves it from the commit on. Returns their number.
 *
 * The company's row names the new server first: all processes then refuse its calls. After they have read
 * that, triggers on all tables refuse its statements, so that nothing changes on the old server, whatever
 * a process knows. One transaction on the new server copies and compares all rows. A run that is killed
 * leaves the old rows whole and marked, or the new ones complete; the next one goes on from there.
 * `record` writes the audit entry in that transaction.
 */
export async function copyCompany(from: Owner, to: Owner, companyId: number, record: Work<void>): Promise<number> {
  return inMove(to, async (copy) => {
    await lock(copy, advisoryLocks.companyArrival, companyId);
    const marked = await inMove(
      from,
      (tx) => tx`
        update companies set server = ${to.server}
        where id = ${companyId} and coalesce(server, ${from.server}) in (${from.server}, ${to.server}) returning 1`,
    );
    if (marked.length === 0) throw new Error('the company is not where it was');
    await sleep(placesLastMs + 500);
    const tables = await listTables(from);
    for (const table of tables)
      await changeTable(from, table.name, (tx) => tx.unsafe(createTriggers(table, companyId)));
    let rows = 0;
    for (const table of tables) rows += await copyTable(from, copy, table, companyId);
    await copy`update companies set server = ${to.server} where id = ${companyId}`;
    await record(copy);
    return rows;
  });
}

/** Takes back a move that has not ended: the company is served again where it is. */
export async function undoMove(from: Owner, to: Owner, companyId: number): Promise<void> {
  await inMove(to, async (tx) => {
    // What a run that was killed has copied is committed, or never will be, when this lock is free.
    await lock(tx, advisoryLocks.companyArrival, companyId);
    const arrived = await tx`select from companies where id = ${companyId}`;
    if (arrived.length > 0) throw new MoveRefused('it has arrived');
    for (const table of await listTables(from))
      await changeTable(from, table.name, (old) => old.unsafe(dropTriggers(table, companyId)));
    await inMove(from, (old) => old`update companies set server = ${from.server} where id = ${companyId}`);
  });
}

/** Deletes the rows that a move left on a server. May be repeated. */
export async function deleteLeftovers(from: Owner, companyId: number): Promise<void> {
  const [companies, ...others] = await listTables(from);
  // Processes that have not read where the company is now refuse its calls, and must not miss its rows.
  await sleep(placesLastMs + 500);
  for (const table of others.toReversed())
    while ((await deleteRows(from, table, companyId)) === 'more') await sleep(20);
  for (const table of others) await changeTable(from, table.name, (tx) => tx.unsafe(dropTriggers(table, companyId)));
  // A foreign key locks rows of the audit log, which nobody may change.
  const last = `${companies && dropTriggers(companies, companyId)}; grant update on audit_log to current_user;
    delete from companies where id = ${companyId} and server <> ${from.server};
    revoke update on audit_log from current_user`;
  await changeTable(from, 'companies', (tx) => tx.unsafe(last));
}

// As the owner of the tables, which a superuser is not. The settings end with the transaction.
function inMove<Result>({ sql }: Owner, work: Work<Result>): Promise<Result> {
  return sql.begin(async (tx) => {
    await tx`
      select set_config(name, value, true) from (values ('notif.moves', 'on'), ('statement_timeout', '0'),
        ('idle_in_transaction_session_timeout', '0'), ('lock_timeout', '5s'),
        ('role', (select pg_get_userbyid(relowner) from pg_class where oid = 'audit_log'::regclass))) as settings (name, value)`;
    return work(tx);
  }) as Promise<Result>;
}

async function lock(tx: Transaction, purpose: number, companyId: number): Promise<void> {
  const [taken] = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${purpose}, ${companyId}) as mine`;
  if (!taken?.mine) throw new MoveRefused('Another run of this command is moving it');
}

// A table with rows of companies: its key of a company, its other columns, and its counter, if it has one.
type Table = { name: string; key: string; columns: string[]; identity: string | null };

/** The tables that have rows of companies, each after those to which its foreign keys lead. */
export async function listTables({ sql }: Pick<Owner, 'sql'>): Promise<Table[]> {
  const rows = await sql<(Table & { parents: string[] })[]>`
    select c.relname::text as name, k.attname::text as key,
      array(select quote_ident(attname) from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped
        and not (c.relname = 'companies' and attname = 'server') order by attname) as columns,
      (select attname::text from pg_attribute where attrelid = c.oid and attidentity <> '' and c.relname <> 'companies')
        as identity,
      array(select f.relname::text from pg_constraint join pg_class f on f.oid = confrelid
        where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as parents
    from pg_class c
    join pg_attribute k on k.attrelid = c.oid and not k.attisdropped
      and k.attname = case c.relname when 'companies' then 'id' else 'company_id' end
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`;
  const sorted = new Set<(typeof rows)[number]>();
  while (sorted.size < rows.length) {
    const names = new Set([...sorted].map(({ name }) => name));
    const next = rows.filter((table) => !sorted.has(table) && table.parents.every((parent) => names.has(parent)));
    if (next.length === 0) throw new Error('foreign keys of tables form a circle');
    for (const table of next) sorted.add(table);
  }
  return [...sorted];
}

const ofCompany = ({ name, key }: Table, companyId: number) => `${name} where ${key} = ${companyId}`;

async function copyTable(from: Owner, copy: Transaction, table: Table, companyId: number): Promise<number> {
  const { name, columns, identity } = table;
  const rowsOf = ofCompany(table, companyId);
  const measure = `
    select count(*)::int as rows, coalesce(sum(hashtextextended(row(${columns})::text, 0)), 0)::text as checksum from ${rowsOf}`;
  return inMove(from, async (tx) => {
    // A device belongs to the last person who signed in on it, also when it is another company's there.
    if (columns.includes('endpoint_hash')) {
      const devices = await tx.unsafe<{ hash: Buffer }[]>(`select endpoint_hash as hash from ${rowsOf}`);
      await copy.unsafe(`delete from ${name} where endpoint_hash = any($1)`, [devices.map(({ hash }) => hash)]);
    }
    const reader = await tx.unsafe(`copy (select ${columns} from ${rowsOf}) to stdout`).readable();
    await pipeline(reader, await copy.unsafe(`copy ${name} (${columns}) from stdin`).writable());
    // The driver leaves its socket paused when the last part fills the stream's buffer.
    reader._read(0);
    const [[old], [made]] = [await tx.unsafe(measure), await copy.unsafe(measure)];
    if (old?.rows !== made?.rows || old?.checksum !== made?.checksum)
      throw new Error(`the copy of ${name} differs: ${made?.rows} rows of ${old?.rows}`);
    // New rows get greater ids. The distance is for what other companies insert at this moment.
    if (identity)
      await copy.unsafe(`
        select setval(sequence, max + 1000) from pg_get_serial_sequence('${name}', '${identity}') as sequence,
          (select max(${identity}) as max from ${rowsOf}) m where max > coalesce(pg_sequence_last_value(sequence::regclass), 0)`);
    return Number(made?.rows);
  });
}

// In small parts where nothing else may be written meanwhile. Only while the rows are left over: a
// company that has come back has the same ids.
function deleteRows(from: Owner, table: Table, companyId: number): Promise<'more' | 'done'> {
  const isAudit = table.name === 'audit_log';
  const remove = async (tx: Transaction) => {
    const left = await tx`select from companies where id = ${companyId} and server <> ${from.server} for update`;
    if (left.length > 0 && !isAudit) await tx.unsafe(`delete from ${ofCompany(table, companyId)}`);
    if (left.length === 0 || !isAudit) return 'done';
    await tx.unsafe('grant delete on audit_log to current_user; alter table audit_log disable trigger user');
    const { count } = await tx`
      delete from audit_log where company_id = ${companyId} and id in (
        select id from audit_log where company_id = ${companyId} order by id limit 5000)`;
    await tx.unsafe('alter table audit_log enable trigger user; revoke delete on audit_log from current_user');
    return count > 0 ? 'more' : 'done';
  };
  return isAudit ? changeTable(from, table.name, remove) : inMove(from, remove);
}

const dropTriggers = ({ name }: Table, companyId: number) =>
  `drop trigger if exists moves_${companyId}_in on ${name}; drop trigger if exists moves_${companyId}_out on ${name}`;

// The function is in migration 0008.
const createTriggers = ({ name, key }: Table, companyId: number) => `
  create or replace trigger moves_${companyId}_in before insert or update on ${name} for each row
    when (new.${key} = ${companyId}) execute function refuse_moving();
  create or replace trigger moves_${companyId}_out before delete on ${name} for each row
    when (old.${key} = ${companyId}) execute function refuse_moving()`;

// Statements of other companies wait behind this lock, so it is tried often and shortly. A backup or a
// report may hold the table.
async function changeTable<Result>(from: Owner, table: string, work: Work<Result>) {
  for (let tries = 1; ; tries++)
    try {
      return await inMove(from, async (tx) => {
        await tx`set local lock_timeout = '100ms'`;
        return work(tx);
      });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === '55P03')) throw error;
      if (tries === 50)
        throw new MoveRefused(`Something, perhaps a backup, holds the table ${table} of server ${from.server}`);
      await sleep(100);
    }
}
