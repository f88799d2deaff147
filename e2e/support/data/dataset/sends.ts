import type postgres from 'postgres';

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

/**
 * Inserts notifications: broadcasts and direct ones of all kinds, some withdrawn, some to confirm,
 * reminders.
 */
export async function addNotifications(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(reaches);
  await sql`create unique index on dataset_reach (company_id, no)`;
  await sql`analyze dataset_reach, dataset_plan`;
  await Promise.all([0, 1].map((first) => sql.unsafe(inSlots(notifications, first, 2))));
  await sql`drop table dataset_reach`;
  await sql`analyze notifications`;
}

// A request's id begins with its time.
const requestId = `overlay(overlay(lpad(to_hex((extract(epoch from n.created_at) * 1000)::bigint), 12, '0')
  || substr(md5(n.company_id || ' ' || n.no), 13) placing '7' from 13) placing '8' from 17)::uuid::text`;

const audit = inSlots(`
  insert into audit_log (company_id, at, actor_kind, actor_id, actor_name, action, details, request_id, key_id, employee_id)
  select n.company_id, n.created_at, case when n.key_id is null then 'account' else 'key' end, coalesce(n.key_id, n.account_id),
    case when n.key_id is null then 'Pemilik Contoh ' || n.company_id else 'Sistem Contoh ' || n.key_id - p.first_key end,
    case when n.reminds_no is null then 'notification.send' else 'notification.remind' end,
    jsonb_build_object('no', n.no, 'recipientId', n.recipient_id, 'recipientName', dataset_name(n.recipient_id - p.first_employee),
      'title', n.title, 'kind', n.kind, 'reach', n.reach), ${requestId}, n.key_id, n.recipient_id
  from ${sentInSlot} order by n.created_at`);

const people = `insert into audit_log (company_id, at, actor_kind, actor_id, actor_name, action, details, request_id, employee_id)
  select p.company_id, p.ends_at - interval '731 days', 'account', p.first_account + 1, 'Pemilik Contoh ' || p.company_id, 'employee.add',
    jsonb_build_object('employeeId', p.first_employee + i, 'name', dataset_name(i), 'role', 'Kasir'), gen_random_uuid()::text, p.first_employee + i
  from dataset_plan p, generate_series(1, p.employees) i`;

/** Inserts the audit log: an entry for each employee and each send. */
export async function addAudit(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(people);
  await sql.unsafe(audit);
}

// Half of the direct ones were shown, half of those read singly; employee 5 of the largest company
// read all singly.
const direct = `
  insert into receipts (company_id, employee_id, no, shown_at, read_at, unread_at, confirmed_at)
  select n.company_id, n.recipient_id, n.no, n.created_at + interval '20 s',
    case when n.company_id = 1 and n.recipient_id = 5 or n.no % 4 = 1 and (n.company_id > 1 or n.recipient_id > 1) then n.created_at + interval '5 minutes' end,
    case when n.no % 100 = 3 then n.created_at + interval '6 minutes' end, case when n.must_confirm and n.no % 4 = 1 then n.created_at + interval '5 minutes' end
  from ${sentInSlot} where n.recipient_id is not null and (n.no % 2 = 1 or n.company_id = 1 and n.recipient_id = 5)`;

// Receipts of some recipients per broadcast; of half of them for the newest broadcasts of large
// companies.
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

/** Inserts receipts and read marks. */
export async function addReceipts(sql: postgres.Sql): Promise<void> {
  await sql`create index dataset_spans on employment (company_id, employee_id)`;
  for (const statement of [inSlots([direct, broadcasts, oneByOne].join(';')), marks]) await sql.unsafe(statement);
  await sql`drop index dataset_spans`;
}

const traffic = `insert into key_traffic (company_id, key_id, hour, requests, refused)
  select company_id, first_key + i, date_trunc('hour', ends_at) - h * interval '1 hour', 30 + dataset_pick(h, i, 100), dataset_pick(h, i + 1, 5)
  from dataset_plan, generate_series(1, keys) i, generate_series(0, 47) h`;

const uses = `insert into key_uses (company_id, key_id, first_at, last_at, operation, address, client)
  select company_id, first_key + i, ends_at - interval '600 days', ends_at - case when i > keys then 30 * interval '1 day' else dataset_pick(i, 30, 100) * interval '1 hour' end,
    'send', '127.0.0.1', 'Contoh/1.0' from dataset_plan, generate_series(1, keys * 2) i`;

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

/**
 * Inserts what calls leave behind: traffic and last use of keys, refusals, stored answers, failed
 * sign-ins.
 */
export async function addCalls(sql: postgres.Sql): Promise<void> {
  for (const statement of [traffic, uses, refusals, answers, failures]) await sql.unsafe(statement);
}
