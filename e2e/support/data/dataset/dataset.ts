import postgres from 'postgres';
import { addPeople } from '#e2e/support/data/dataset/people.ts';
import { addAudit, addCalls, addNotifications, addReceipts } from '#e2e/support/data/dataset/sends.ts';
import { hashPassword } from '#server/accounts/sign-in/passwords.ts';

/**
 * The size of a group of equal companies. Every `broadcastEvery`-th send is a broadcast. A
 * broadcast has `receiptsEach` receipts; the newest `busy` ones have receipts of half of all
 * employees.
 */
export type CompanySize = {
  companies: number;
  employees: number;
  sends: number;
  broadcastEvery: number;
  receiptsEach: number;
  busy: number;
  keys: number;
};

/**
 * 1,000 companies, 298,000 employees, 5 million notifications; the largest company comes first and
 * has the number 1.
 */
export const fullSize: CompanySize[] = [
  { companies: 1, employees: 100_000, sends: 1_510_000, broadcastEvery: 150, receiptsEach: 30, busy: 40, keys: 40 },
  { companies: 10, employees: 10_000, sends: 150_000, broadcastEvery: 50, receiptsEach: 30, busy: 10, keys: 10 },
  { companies: 89, employees: 1000, sends: 11_000, broadcastEvery: 10, receiptsEach: 5, busy: 0, keys: 5 },
  { companies: 900, employees: 10, sends: 1130, broadcastEvery: 3, receiptsEach: 3, busy: 0, keys: 3 },
];

/**
 * 51 companies of 10, 1,000 and 10,000 employees, 60,000 notifications: seconds instead of minutes.
 */
export const quickSize: CompanySize[] = [
  { companies: 1, employees: 10_000, sends: 30_000, broadcastEvery: 150, receiptsEach: 10, busy: 5, keys: 40 },
  { companies: 1, employees: 1000, sends: 10_000, broadcastEvery: 10, receiptsEach: 5, busy: 0, keys: 5 },
  { companies: 49, employees: 10, sends: 400, broadcastEvery: 3, receiptsEach: 3, busy: 0, keys: 3 },
];

/**
 * Employees 1 to 5 of the largest company, whose inboxes hold a 75th of its sends each: nothing
 * marked as read, everything, all but 200, 200 spans of employment, each one marked by itself.
 */
export const heavyReaders = ['nothing read', 'all read', 'a little unread', '200 spans', 'read one by one'] as const;

/**
 * Fills an empty database with data of this size. The data is deterministic except for its times,
 * which end now. `adminUrl` is a superuser's. Durability is off during this. Analyzes the tables at
 * the end.
 */
export async function fillDatabase(adminUrl: string, size: CompanySize[]): Promise<void> {
  const sql = postgres(adminUrl, { max: 2, onnotice: () => {} });
  try {
    await withoutDurability(sql, async () => {
      const indexes = await dropIndexes(sql);
      await makePlan(sql, size);
      await addPeople(sql);
      await addNotifications(sql);
      await Promise.all([addAudit(sql), addReceipts(sql).then(() => addCalls(sql))]);
      await buildIndexes(sql, indexes);
      await sql`drop function dataset_pick, dataset_name, dataset_sent_at`;
      await sql`drop table dataset_plan`;
    });
    await sql`vacuum (analyze)`;
    await sql`checkpoint`;
  } finally {
    await sql.end();
  }
}

/**
 * The plan says where each company's ids begin: employee `i` is `first_employee + i`, the account
 * `first_account + 1 + i`, the owner's account `first_account + 1`, key `i` is `first_key + i`.
 * Random choices are hashes, so that each run is the same.
 */
async function makePlan(sql: postgres.Sql, size: CompanySize[]): Promise<void> {
  const kinds = size.map((one, place) => ({ place, ...one }));
  const passwordHash = await hashPassword('kata sandi data contoh');
  await sql.unsafe(`create function dataset_pick(n bigint, seed bigint, most bigint) returns int
    language sql immutable parallel safe as 'select ((hashint8extended(n, seed) & 9223372036854775807) % most)::int'`);
  await sql.unsafe(`create function dataset_name(i int) returns text language sql immutable parallel safe as $$
    select (array['Adi','Budi','Citra','Dewi','Eka','Fajar','Gita','Hadi','Indah','Joko','Kartika','Lestari','Made','Nur','Putri','Rina','Sari','Tono','Umar','Wati'])[1 + dataset_pick(i, 1, 20)]
      || ' ' || (array['Santoso','Wijaya','Saputra','Lestari','Hidayat','Kusuma','Pratama','Nugroho','Siregar','Halim'])[1 + dataset_pick(i, 2, 10)] || ' Contoh' $$`);
  await sql`
    create unlogged table dataset_plan as
    select row_number() over (order by k.place, c)::int as company_id, k.employees, k.sends, k."broadcastEvery" as every,
      k."receiptsEach" as receipts_each, k.busy, k.keys,
      (coalesce(sum(k.employees) over before, 0))::int as first_employee,
      (coalesce(sum(k.employees + 1) over before, 0))::int as first_account,
      (coalesce(sum(k.keys * 2) over before, 0))::int as first_key,
      k.sends + k.sends / 400 + 1 as last_no, now() as ends_at, ${passwordHash}::text as password_hash
    from jsonb_to_recordset(${JSON.stringify(kinds)}::text::jsonb) as k (place int, companies int, employees int, sends int,
      "broadcastEvery" int, "receiptsEach" int, busy int, keys int), generate_series(1, k.companies) c
    window before as (order by k.place, c rows between unbounded preceding and 1 preceding)`;
  await sql.unsafe(`create function dataset_sent_at(p dataset_plan, no bigint) returns timestamptz language sql immutable
    as $$ select p.ends_at - (p.sends - no) * (interval '730 days' / p.sends) - interval '1 minute' $$`);
}

// Runs `work` without durability and foreign key checks, then restores both.
async function withoutDurability(sql: postgres.Sql, work: () => Promise<void>): Promise<void> {
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_wal_size: '16GB',
    autovacuum: 'off',
  };
  const [row] = await sql<{ name: string }[]>`select current_database() as name`;
  const database = sql(row?.name ?? '');
  for (const [name, value] of Object.entries(settings)) await sql.unsafe(`alter system set ${name} = '${value}'`);
  await sql`select pg_reload_conf()`;
  // The rows are correct by construction; in the role of a replica, PostgreSQL skips the triggers
  // that check them.
  await sql`alter database ${database} set session_replication_role = replica`;
  try {
    await sql`set session_replication_role = replica`;
    await work();
  } finally {
    await sql`alter database ${database} reset session_replication_role`;
    for (const name of Object.keys(settings)) await sql.unsafe(`alter system reset ${name}`);
    await sql`select pg_reload_conf()`;
  }
}

// Drops all indexes that no constraint needs. Returns the statements that create them again.
async function dropIndexes(sql: postgres.Sql): Promise<string[]> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = i.indexrelid)`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  return indexes.map(({ definition }) => definition);
}

// Creates indexes, two at a time.
async function buildIndexes(sql: postgres.Sql, definitions: string[]): Promise<void> {
  const waiting = [...definitions];
  const build = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await sql.begin(async (transaction) => {
        await transaction`set local maintenance_work_mem = '512MB'`;
        await transaction`set local max_parallel_maintenance_workers = 0`;
        await transaction.unsafe(next ?? '');
      });
  };
  await Promise.all([build(), build()]);
}
