import postgres from 'postgres';

/** Equal companies. Every `broadcastEvery`-th send is a broadcast; half of all read the newest `busy` ones. */
type CompanySize = Record<
  'companies' | 'employees' | 'sends' | 'broadcastEvery' | 'receiptsEach' | 'busy' | 'keys',
  number
>;

/** 1,000 companies, 298,000 employees, 5 million notifications; the largest company has the number 1. */
export const fullSize: CompanySize[] = [
  { companies: 1, employees: 100_000, sends: 1_510_000, broadcastEvery: 150, receiptsEach: 30, busy: 40, keys: 40 },
  { companies: 10, employees: 10_000, sends: 150_000, broadcastEvery: 50, receiptsEach: 30, busy: 10, keys: 10 },
  { companies: 89, employees: 1000, sends: 11_000, broadcastEvery: 10, receiptsEach: 5, busy: 0, keys: 5 },
  { companies: 900, employees: 10, sends: 1130, broadcastEvery: 3, receiptsEach: 3, busy: 0, keys: 3 },
];

/** 51 companies of 10, 1,000 and 10,000 employees, 60,000 notifications: seconds instead of minutes. */
export const quickSize: CompanySize[] = [
  { companies: 1, employees: 10_000, sends: 30_000, broadcastEvery: 150, receiptsEach: 10, busy: 5, keys: 40 },
  { companies: 1, employees: 1000, sends: 10_000, broadcastEvery: 10, receiptsEach: 5, busy: 0, keys: 5 },
  { companies: 49, employees: 10, sends: 400, broadcastEvery: 3, receiptsEach: 3, busy: 0, keys: 3 },
];

/** Employees 1 to 5 of the largest company, whose inboxes hold a 75th of its sends each, by their marks. */
export const heavyReaders = ['nothing read', 'all read', 'a little unread', '200 spans', 'read one by one'] as const;

/** Fills an empty database with the same data each time, but for its times, which end now. Needs a superuser. */
export async function fillDatabase(adminUrl: string, size: CompanySize[]): Promise<void> {
  const sql = postgres(adminUrl, { max: 2, onnotice: () => {} });
  const run = async (...statements: string[]) => {
    for (const statement of statements) await sql.unsafe(statement);
  };
  const sequences = ['companies', 'accounts', 'employees', 'api_keys'].map(
    (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
  );
  try {
    await withoutDurability(sql, async () => {
      const indexes = await dropIndexes(sql);
      await makePlan(sql, size);
      await run(companies, owners, accounts, employees, spans, countActive, keys, portals, sessions, invitations);
      await run(...sequences, 'analyze employees, employment');
      await run(reaches, 'create unique index on dataset_reach (company_id, no)');
      await run('analyze dataset_reach, dataset_plan');
      await Promise.all([0, 1].map((first) => run(inSlots(notifications, first, 2))));
      await run('drop table dataset_reach', 'analyze notifications');
      await run('create index dataset_spans on employment (company_id, employee_id)');
      await run(inSlots([direct, broadcasts, oneByOne].join(';')), marks, 'drop index dataset_spans');
      await run(refusals, answers, failures);
      await buildIndexes(sql, indexes);
      await run('drop function dataset_pick, dataset_sent_at', 'drop table dataset_plan');
    });
    await run('vacuum (analyze)', 'checkpoint');
  } finally {
    await sql.end();
  }
}

/** The plan says where each company's ids begin: employee `i` is `first_employee + i`, and so on. */
async function makePlan(sql: postgres.Sql, size: CompanySize[]): Promise<void> {
  const kinds = size.map((one, place) => ({ place, ...one }));
  await sql.unsafe(`create function dataset_pick(n bigint, seed bigint, most bigint) returns int
    language sql immutable parallel safe as 'select ((hashint8extended(n, seed) & 9223372036854775807) % most)::int'`);
  await sql`
    create unlogged table dataset_plan as
    select row_number() over (order by k.place, c)::int as company_id, k.employees, k.sends, k."broadcastEvery" as every,
      k."receiptsEach" as receipts_each, k.busy, k.keys,
      (coalesce(sum(k.employees) over before, 0))::int as first_employee,
      (coalesce(sum(k.employees + 1) over before, 0))::int as first_account,
      (coalesce(sum(k.keys * 2) over before, 0))::int as first_key,
      k.sends + k.sends / 400 + 1 as last_no, now() as ends_at
    from jsonb_to_recordset(${JSON.stringify(kinds)}::text::jsonb) as k (place int, companies int, employees int, sends int,
      "broadcastEvery" int, "receiptsEach" int, busy int, keys int), generate_series(1, k.companies) c
    window before as (order by k.place, c rows between unbounded preceding and 1 preceding)`;
  await sql.unsafe(`create function dataset_sent_at(p dataset_plan, no bigint) returns timestamptz language sql immutable
    as $$ select p.ends_at - (p.sends - no) * (interval '730 days' / p.sends) - interval '1 minute' $$`);
}

// Runs `work` without durability and foreign key checks, then restores both.
async function withoutDurability(sql: postgres.Sql, work: () => Promise<void>): Promise<void> {
  const off = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off' };
  const settings = { ...off, max_wal_size: '16GB' };
  const [row] = await sql<{ name: string }[]>`select current_database() as name`;
  const database = sql(row?.name ?? '');
  for (const [name, value] of Object.entries(settings)) await sql.unsafe(`alter system set ${name} = '${value}'`);
  await sql`select pg_reload_conf()`;
  // The rows are correct by construction; in the role of a replica, PostgreSQL skips the triggers that check them.
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

// Every 20th employee was deactivated after four fifths of all sends.
const isActive = '(i % 20 <> 0 or i > p.employees - 5)';

const companies = `insert into companies (id, name, last_no, active_employees, must_confirm_kinds, created_at) overriding system value
  select company_id, 'Perusahaan Contoh ' || company_id, last_no, 0, '{gaji}', ends_at - interval '731 days' from dataset_plan`;

const owners = `insert into accounts (company_id, id, username, name, password_hash, is_owner, language, created_at) overriding system value
  select company_id, first_account + 1, 'pemilik-contoh-' || company_id, 'Pemilik Contoh ' || company_id, 'nobody''s', true, 'id',
    ends_at - interval '731 days' from dataset_plan`;

// Four of five have an account.
const accounts = `insert into accounts (company_id, id, username, name, password_hash, created_at) overriding system value
  select company_id, first_account + 1 + i, 'karyawan-contoh-' || first_employee + i, 'Karyawan ' || i, 'nobody''s',
    ends_at - interval '700 days' from dataset_plan p, generate_series(1, employees) i where i % 5 <> 0 or i <= 5`;

const employees = `insert into employees (company_id, id, account_id, name, role, active, read_up_to, created_at) overriding system value
  select company_id, first_employee + i, case when i % 5 <> 0 or i <= 5 then first_account + 1 + i end, 'Karyawan ' || i,
    (array['Kasir','Gudang','Sopir','Admin','Teknisi','Produksi','Satpam','Manajer'])[1 + dataset_pick(i, 3, 8)], ${isActive},
    case when company_id = 1 and i <= 5 then (array[0, sends, sends - 200 * 75, 0, 0])[i]
      else case dataset_pick(i, 4, 10) when 0 then 0 when 1 then sends / 2 when 2 then sends / 2 when 3 then sends when 4 then sends
        when 5 then sends else sends - sends / 200 * dataset_pick(i, 5, 10) end end,
    ends_at - interval '730 days' from dataset_plan p, generate_series(1, employees) i`;

// One in 25 was inactive for a while, one in 20 joined later; employee 4 of the largest left 200 times.
const spans = `insert into employment (company_id, employee_id, from_no, until_no)
  select company_id, first_employee + i, case when dataset_pick(i, 6, 20) = 1 then sends / 3 else 0 end,
    case when not ${isActive} then sends / 5 * 4 when dataset_pick(i, 7, 25) = 2 then sends / 2 end
  from dataset_plan p, generate_series(1, employees) i where company_id <> 1 or i <> 4
  union all
  select company_id, first_employee + i, sends / 4 * 3, null from dataset_plan p, generate_series(1, employees) i
  where dataset_pick(i, 7, 25) = 2 and ${isActive} and (company_id <> 1 or i <> 4)
  union all
  select 1, 4, sends / 200 * k, case when k < 199 then sends / 200 * k + sends / 400 end
  from dataset_plan, generate_series(0, 199) k where company_id = 1`;

const countActive = `update companies c set active_employees = e.active
  from (select company_id, count(*) filter (where active) as active from employees group by company_id) e where e.company_id = c.id`;

// As many revoked keys as active ones.
const keys = `insert into api_keys (company_id, id, name, fingerprint, created_by, created_at, revoked_at, note, expected_every_minutes, expected_since)
  overriding system value
  select company_id, first_key + i, 'Sistem Contoh ' || i, sha256(convert_to('contoh ' || first_key + i, 'UTF8')), first_account + 1,
    ends_at - interval '700 days', case when i > keys then ends_at - interval '30 days' end, 'Data contoh',
    case when i = 1 then 1440 end, case when i = 1 then ends_at - interval '30 days' end
  from dataset_plan, generate_series(1, keys * 2) i`;

const portals = `insert into portals (company_id, employee_id, browser_id, sound, seen_at)
  select company_id, first_employee + i, gen_random_uuid(),
    (array['on','on','on','click','muted','blocked','unsupported'])[1 + dataset_pick(i, 8 + b, 7)],
    ends_at - dataset_pick(i, 9 + b, 89 * 24) * interval '1 hour' / b
  from dataset_plan, generate_series(1, employees) i, generate_series(1, 1 + dataset_pick(i, 10, 3)) b
  where (i % 5 <> 0 or i <= 5) and dataset_pick(i, 11, 10) > 0`;

const sessions = `insert into sessions (company_id, account_id, created_at, seen_at, proved_at, expires_at, address, client)
  select company_id, first_account + 1 + i, at, at, at, at + interval '30 days', '127.0.0.' || dataset_pick(i, 12, 250), 'Contoh/1.0'
  from dataset_plan, generate_series(1, employees) i, generate_series(1, 1 + dataset_pick(i, 13, 2)) b,
    lateral (select ends_at - dataset_pick(i, 14 + b, 29 * 24) * interval '1 hour' as at) w
  where i % 5 <> 0 or i <= 5`;

const invitations = `insert into invitations (company_id, token_hash, employee_id, created_by, created_at, expires_at, used_at)
  select company_id, sha256(convert_to('contoh ' || first_employee + i, 'UTF8')), first_employee + i, first_account + 1, at,
    at + interval '7 days', case when i % 5 <> 0 then at end
  from dataset_plan, generate_series(1, employees) i, lateral (select ends_at - dataset_pick(i, 16, 30 * 24) * interval '1 hour' as at) w
  where i % 4 = 0`;

const slots = 1000;

// In order of time over all companies, as rows lie in a real table.
const inSlots = (statement: string, first = 0, step = 1) => `do $do$ begin
  set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_seqscan = off; set local jit = off;
  for slot in ${first}..${slots - 1} by ${step} loop ${statement}; end loop; end $do$`;
const numbersOfSlot = `generate_series(p.sends::bigint * slot / ${slots} + 1, p.sends::bigint * (slot + 1) / ${slots}) n (no)`;
const sentInSlot = `dataset_plan p cross join lateral (
  select * from notifications where company_id = p.company_id
    and p.sends::bigint * slot / ${slots} < p.sends::bigint * (slot + 1) / ${slots} and no > p.sends::bigint * slot / ${slots}
    and no <= p.sends::bigint * (slot + 1) / ${slots} offset 0) n`;

// Counts the active employees at each broadcast from the ends of all spans.
const reaches = `create unlogged table dataset_reach as
  select company_id, no, reach from (
    select company_id, no, what, sum(change) over (partition by company_id order by no, what rows unbounded preceding)::int as reach
    from (
      select company_id, from_no as no, 1 as what, 1 as change from employment
      union all select company_id, until_no, 1, -1 from employment where until_no is not null
      union all select company_id, no, 0, 0 from dataset_plan p, generate_series(every, sends, every) no
    ) events
  ) counted where what = 0`;

// Broadcasts and direct ones of all kinds, some withdrawn, some to confirm, reminders.
const notifications = `
  insert into notifications (company_id, no, recipient_id, title, body, kind, url, reach, key_id, account_id, draft_id, must_confirm,
    reminds_no, withdrawn_at, withdrawal_no, created_at)
  select p.company_id, n.no, w.recipient, 'Pemberitahuan contoh ' || n.no || case when n.no % 100000 = 77 then ' langka' else '' end,
    'Isi contoh nomor ' || n.no || ': ' || (array['rapat pukul sepuluh di aula','slip sudah dapat dilihat','jadwal giliran minggu depan',
      'stok gudang perlu dihitung'])[1 + dataset_pick(n.no, 20, 4)] || ', harap dibaca sampai selesai. Ini bukan pengiriman sungguhan.',
    (array['info','kasbon','gaji','bonus','timer','absen'])[1 + dataset_pick(n.no, 21, 6)],
    case when n.no % 7 = 0 then '/portal/notifications?contoh=' || n.no end, coalesce(r.reach, 1),
    case when not w.by_hand then p.first_key + 1 + dataset_pick(n.no, 22, p.keys) end, case when w.by_hand then p.first_account + 1 end,
    case when w.by_hand and not w.reminds then md5(p.company_id || ' ' || n.no)::uuid end,
    case when w.recipient is null then n.no / p.every % 10 = 0 else dataset_pick(n.no, 23, 50) = 0 end,
    case when w.reminds then n.no - 7 * p.every end, case when n.no % 400 = 13 then dataset_sent_at(p, n.no) + interval '1 hour' end,
    case when n.no % 400 = 13 then p.sends + 1 + n.no / 400 end, dataset_sent_at(p, n.no)
  from dataset_plan p cross join ${numbersOfSlot}
  cross join lateral (select n.no % p.every = 0 as to_all, n.no % p.every = 0 and n.no / p.every % 100 = 7 and n.no / p.every > 100 as reminds) t
  cross join lateral (select t.reminds, t.reminds or n.no % 10 = 7 as by_hand,
    case when t.to_all then null when p.company_id = 1 and n.no % p.every in (1, 31, 61, 91, 121) then 1 + (n.no % p.every)::int / 30
      else p.first_employee + 1 + dataset_pick(n.no, 24, p.employees) end as recipient) w
  left join dataset_reach r on r.company_id = p.company_id and r.no = n.no
  order by dataset_sent_at(p, n.no)`;

// Half of the direct ones were shown, half of those read singly; employee 5 of the largest company read all singly.
const direct = `
  insert into receipts (company_id, employee_id, no, shown_at, read_at, unread_at, confirmed_at)
  select n.company_id, n.recipient_id, n.no, n.created_at + interval '20 s',
    case when n.company_id = 1 and n.recipient_id = 5 or n.no % 4 = 1 and (n.company_id > 1 or n.recipient_id > 1) then n.created_at + interval '5 minutes' end,
    case when n.no % 100 = 3 then n.created_at + interval '6 minutes' end, case when n.must_confirm and n.no % 4 = 1 then n.created_at + interval '5 minutes' end
  from ${sentInSlot} where n.recipient_id is not null and (n.no % 2 = 1 or n.company_id = 1 and n.recipient_id = 5)`;

// Receipts of some recipients per broadcast; of half of them for the newest broadcasts of large companies.
const broadcasts = `
  insert into receipts (company_id, employee_id, no, shown_at, read_at, confirmed_at)
  select n.company_id, e.id, n.no, n.created_at + interval '20 s', case when i % 2 = 0 then n.created_at + interval '5 minutes' end,
    case when n.must_confirm and n.no / p.every % 100 <> 0 and i % 3 = 0 then n.created_at + interval '5 minutes' end
  from ${sentInSlot}
  cross join generate_series(1, case when n.no > p.sends - p.busy * p.every then p.employees / 2 else p.receipts_each end) i
  cross join lateral (select p.first_employee + 1 + case when n.no > p.sends - p.busy * p.every then i * 2 - 1
    else (n.no * 13 + i * greatest(p.employees / p.receipts_each, 1)) % p.employees end as id) e
  where n.recipient_id is null and n.reminds_no is null and exists (select from employment s
    where s.company_id = n.company_id and s.employee_id = e.id and s.from_no < n.no and n.no <= coalesce(s.until_no, n.no))
  on conflict do nothing`;

const oneByOne = `
  insert into receipts (company_id, employee_id, no, shown_at, read_at)
  select n.company_id, 5, n.no, n.created_at + interval '20 s', n.created_at + interval '5 minutes'
  from ${sentInSlot} where p.company_id = 1 and n.recipient_id is null on conflict do nothing`;

const marks = `insert into read_marks (company_id, employee_id, up_to, at)
  select e.company_id, e.id, e.read_up_to / k, dataset_sent_at(p, e.read_up_to / k) + interval '1 hour'
  from employees e join dataset_plan p on p.company_id = e.company_id, unnest(array[1, 2, 4]) k where e.read_up_to > 4
  on conflict do nothing`;

// A third of all refusals belong to the largest company, including those of revoked keys.
const refusals = `insert into refusals (company_id, at, request_id, key_id, code, field, operation, address, client, more)
  select p.company_id, p.ends_at - (900000 - n) * (interval '30 days' / 900000), gen_random_uuid(),
    p.first_key + 1 + dataset_pick(n, 31, p.keys * 2), (array['key_rejected','url_external','title_too_long','rate_limited'])[1 + dataset_pick(n, 32, 4)],
    case when n % 4 = 1 then 'url' end, 'send', '127.0.0.' || n % 250, 'Contoh/1.0', case when n % 9 = 0 then 3 else 0 end
  from generate_series(1, 900000) n join dataset_plan p
    on p.company_id = case when n % 3 = 0 then 1 else 1 + n % (select count(*) from dataset_plan) end
  where n % 900000 >= 900000 - (select sum(sends) from dataset_plan) / 10 order by n`;

const answers = `insert into idempotency (company_id, key_id, idempotency_key, body_hash, reach, created_at)
  select p.company_id, p.first_key + 1 + n % p.keys, 'contoh-' || n, sha256('contoh'), 1, p.ends_at - dataset_pick(n, 33, 24 * 3600) * interval '1 s'
  from generate_series(1, 500000) n join dataset_plan p on p.company_id = 1 + n % (select count(*) from dataset_plan)
  where n <= (select sum(sends) from dataset_plan) / 10`;

const failures = `insert into limit_counters (subject, uses, ends_at)
  select sha256(convert_to('contoh ' || n, 'UTF8')), 1 + n % 9, ends_at - n * interval '0.1 s' + interval '15 minutes'
  from dataset_plan, generate_series(1, 10000) n where company_id = 1`;
