import type { Transaction } from '#db/client.ts';
import { changeSchema, type MigrateOptions } from '#db/migrate.ts';

/** How many partitions notifications and receipts have, and how many audit entries a partition holds. */
export type PartitionSizes = { companies: number; entries: number };

/**
 * 16 partitions by company. A partition holds 50 million audit entries: about 22 GB, and 4 months of
 * 20,000 companies.
 */
export const defaultSizes: PartitionSizes = { companies: 16, entries: 50_000_000 };

/** A partition of the audit log that was taken out of it. */
export type Detached = { table: string; entries: number; until: Date };

// Ready-made partitions for entries to come. Beyond them, entries go to a last partition without a
// bound, so that a send never fails for want of a partition.
const rangesAhead = 8;

const ofCompanies = ['notifications', 'receipts'];
const audit = 'audit_log';

/**
 * Stores notifications and receipts in partitions by a hash of their company, and the audit log in
 * partitions by ranges of its ids, which grow with time. Every key and foreign key stays as it is.
 * Copies the tables in one transaction that locks them; the service cannot use them meanwhile. Does
 * nothing to a table that has partitions, except that the audit log gets new ones for entries to
 * come. Returns the names of the tables that it copied.
 */
export async function partitionTables(
  url: string,
  roles: Omit<MigrateOptions, 'folder'> = {},
  sizes = defaultSizes,
): Promise<string[]> {
  return changeSchema(url, roles, async (tx) => {
    const whole = await listByKind(tx, 'r');
    await rebuild(tx, whole, (table) =>
      table === audit ? rangesOfIds(tx, sizes.entries) : hashesOfCompanies(table, sizes.companies),
    );
    if (!whole.includes(audit)) await addRanges(tx);
    return whole;
  });
}

/** The way back: stores the three tables in one piece again, by the same copy. */
export async function joinPartitions(url: string, roles: Omit<MigrateOptions, 'folder'> = {}): Promise<string[]> {
  return changeSchema(url, roles, async (tx) => {
    const partitioned = await listByKind(tx, 'p');
    await rebuild(tx, partitioned, () => ({ by: '', parts: [] }));
    return partitioned;
  });
}

/**
 * Takes those partitions out of the audit log whose entries are all older than `before` and than
 * every notification that is still stored: pages look up who sent a notification there. They stay as
 * tables of their own, which only the schema's owner can read, to be dumped and dropped.
 */
export async function detachAudit(
  url: string,
  before: Date,
  roles: Omit<MigrateOptions, 'folder'> = {},
): Promise<Detached[]> {
  return changeSchema(url, roles, async (tx) => {
    const [oldest] = await tx<{ at: Date | null }[]>`
      select min(first.created_at) as at from companies c cross join lateral (
        select created_at from notifications where company_id = c.id order by no limit 1) first`;
    const detached: Detached[] = [];
    for (const table of await listRanges(tx)) {
      const [found] = await tx<{ until: Date | null; entries: number }[]>`
        select max(at) as until, count(*) as entries from ${tx(table)}`;
      const until = found?.until;
      if (!until || until >= before || (oldest?.at && until >= oldest.at)) break;
      await tx`alter table ${tx(audit)} detach partition ${tx(table)}`;
      detached.push({ table, entries: found.entries, until });
    }
    return detached;
  });
}

const listByKind = async (tx: Transaction, kind: 'r' | 'p'): Promise<string[]> => {
  const rows = await tx<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = ${kind}
      and relname = any(${[...ofCompanies, audit]}::text[]) order by relname`;
  return rows.map(({ name }) => name);
};

/** `by` follows `create table`; `parts` are the names and bounds of partitions. */
type Layout = { by: string; parts: [name: string, bounds: string][] };

function hashesOfCompanies(table: string, count: number): Layout {
  const parts = Array.from({ length: count }, (_, at): Layout['parts'][number] => [
    `${table}_of_${at}`,
    `for values with (modulus ${count}, remainder ${at})`,
  ]);
  return { by: 'partition by hash (company_id)', parts };
}

async function rangesOfIds(tx: Transaction, width: number): Promise<Layout> {
  const [ids] = await tx<{ oldest: number; newest: number }[]>`
    select coalesce(min(id), 0) as oldest, coalesce(max(id), 0) as newest from audit_log`;
  // Names of ranges that were detached before are not used again.
  const first = Math.floor((ids?.oldest ?? 0) / width);
  const last = Math.floor((ids?.newest ?? 0) / width) + rangesAhead;
  const parts = Array.from({ length: last - first + 1 }, (_, at) => rangeAt(first + at, width, at === 0));
  return { by: 'partition by range (id)', parts: [...parts, beyond] };
}

const beyond: [string, string] = ['audit_log_beyond', 'default'];

const rangeAt = (at: number, width: number, isFirst = false): [string, string] => [
  `audit_log_${at}`,
  `for values from (${isFirst ? 'minvalue' : at * width}) to (${(at + 1) * width})`,
];

// The ranges of the audit log, the oldest first.
async function listRanges(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_log'::regclass and c.relname ~ '^audit_log_[0-9]+$'
    order by substr(c.relname, 11)::int`;
  return rows.map(({ name }) => name);
}

async function addRanges(tx: Transaction): Promise<void> {
  const last = (await listRanges(tx)).at(-1) ?? '';
  const [found] = await tx<{ bounds: string; newest: number }[]>`
    select pg_get_expr(relpartbound, oid) as bounds, (select coalesce(max(id), 0) from audit_log) as newest
    from pg_class where oid = ${last}::text::regclass`;
  const [from = 0, to = 0] = [...(found?.bounds ?? '').matchAll(/'(\d+)'/g)].map(([, bound]) => Number(bound));
  const place = Number(last.slice('audit_log_'.length));
  const width = to - from;
  const wanted = Math.floor((found?.newest ?? 0) / width) + rangesAhead;
  if (wanted <= place) return;
  const { options, triggers } = await readParts(tx, audit);
  // New ranges must not overlap with what is stored beyond the last one.
  await tx`alter table audit_log detach partition audit_log_beyond`;
  await tx`alter table audit_log_beyond rename to audit_log_waiting`;
  for (let at = place + 1; at <= wanted; at++) await addPartition(tx, audit, rangeAt(at, width), options, triggers);
  await addPartition(tx, audit, beyond, options, triggers);
  await tx`insert into audit_log overriding system value select * from audit_log_waiting`;
  await tx`drop table audit_log_waiting`;
}

type Definition = { table: string; name: string; text: string };

type Identity = { sequence: string; value: number; isCalled: boolean };

/** What a table has besides its rows and columns. */
type Parts = {
  options: string;
  keys: Definition[];
  references: Definition[];
  indexes: string[];
  triggers: string[];
  identity: Identity | null;
};

/** Copies tables into new ones with another layout, and gives those all that the old ones had. */
async function rebuild(
  tx: Transaction,
  tables: string[],
  layoutOf: (table: string) => Layout | Promise<Layout>,
): Promise<void> {
  if (tables.length === 0) return;
  await tx`set local maintenance_work_mem = '256MB'`;
  await tx.unsafe(`lock table ${tables.join(', ')} in access exclusive mode`);
  const parts = new Map<string, Parts>();
  for (const table of tables) parts.set(table, await readParts(tx, table));
  const references = [...parts.values()].flatMap((one) => one.references);
  const unique = [...new Map(references.map((one) => [`${one.table}.${one.name}`, one])).values()];
  for (const { table, name } of unique) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`;
  for (const [table, own] of parts) await copyTable(tx, table, await layoutOf(table), own);
  for (const { table, name, text } of unique) await tx.unsafe(`alter table ${table} add constraint "${name}" ${text}`);
  for (const table of tables) await tx`analyze ${tx(table)}`;
}

async function readParts(tx: Transaction, table: string): Promise<Parts> {
  const relation = tx`${table}::text::regclass`;
  const definitions = (condition: ReturnType<typeof tx>) => tx<Definition[]>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as text
    from pg_constraint where conparentid = 0 and ${condition} order by conname`;
  const keys = await definitions(tx`conrelid = ${relation} and contype in ('p', 'u')`);
  const references = await definitions(tx`contype = 'f' and (conrelid = ${relation} or confrelid = ${relation})`);
  const indexes = await tx<{ text: string }[]>`
    select replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as text from pg_index
    where indrelid = ${relation} and not exists (select from pg_constraint where conindid = indexrelid)`;
  const triggers = await tx<{ text: string }[]>`
    select pg_get_triggerdef(oid) as text from pg_trigger where tgrelid = ${relation} and not tgisinternal`;
  // A partitioned table has no settings for vacuum itself.
  const [stored] = await tx<{ options: string }[]>`
    select coalesce(array_to_string(reloptions, ', '), '') as options from pg_class
    where oid = ${relation} or oid in (select inhrelid from pg_inherits where inhparent = ${relation})
    order by reloptions nulls last limit 1`;
  return {
    options: stored?.options ?? '',
    keys,
    references,
    indexes: indexes.map(({ text }) => text),
    triggers: triggers.map(({ text }) => text),
    identity: await readIdentity(tx, table),
  };
}

async function readIdentity(tx: Transaction, table: string): Promise<Parts['identity']> {
  const [column] = await tx<{ sequence: string }[]>`
    select pg_get_serial_sequence(${table}, attname) as sequence from pg_attribute
    where attrelid = ${table}::text::regclass and attidentity <> ''`;
  if (!column) return null;
  const [state] = await tx.unsafe<{ value: number; isCalled: boolean }[]>(
    `select last_value as value, is_called as "isCalled" from ${column.sequence}`,
  );
  return { sequence: column.sequence, value: state?.value ?? 1, isCalled: state?.isCalled ?? false };
}

async function copyTable(tx: Transaction, table: string, { by, parts }: Layout, own: Parts): Promise<void> {
  const copy = `${table}_copy`;
  const settings = own.options && parts.length === 0 ? `with (${own.options})` : '';
  await tx.unsafe(
    `create table ${copy} (like ${table} including constraints including defaults including identity) ${by} ${settings}`,
  );
  for (const part of parts) await addPartition(tx, copy, part, own.options, []);
  await tx.unsafe(`insert into ${copy} overriding system value select * from ${table}`);
  await tx.unsafe(`drop table ${table}`);
  await tx.unsafe(`alter table ${copy} rename to ${table}`);
  if (own.identity) await restoreIdentity(tx, table, own.identity);
  for (const { name, text } of own.keys) await tx.unsafe(`alter table ${table} add constraint "${name}" ${text}`);
  for (const index of own.indexes) await tx.unsafe(index);
  for (const trigger of own.triggers) await tx.unsafe(trigger);
  // Triggers for whole statements are not inherited.
  for (const [name] of parts) await guardPartition(tx, table, name, own.triggers);
}

async function restoreIdentity(tx: Transaction, table: string, { sequence, value, isCalled }: Identity): Promise<void> {
  const now = (await readIdentity(tx, table))?.sequence ?? '';
  await tx`select setval(${now}::text::regclass, ${value}, ${isCalled})`;
  if (now !== sequence) await tx.unsafe(`alter sequence ${now} rename to ${sequence.replace(/^public\./, '')}`);
}

async function addPartition(
  tx: Transaction,
  table: string,
  [name, bounds]: [string, string],
  options: string,
  triggers: string[],
): Promise<void> {
  await tx.unsafe(`create table ${name} partition of ${table} ${bounds} ${options && `with (${options})`}`);
  await guardPartition(tx, table, name, triggers);
}

async function guardPartition(tx: Transaction, table: string, name: string, triggers: string[]): Promise<void> {
  for (const trigger of triggers) await tx.unsafe(trigger.replace(` ON public.${table} `, ` ON public.${name} `));
}
