import type postgres from 'postgres';

// Every 20th employee was deactivated after four fifths of all sends.
const isActive = '(i % 20 <> 0 or i > p.employees - 5)';

const companies = `insert into companies (id, name, last_no, active_employees, must_confirm_kinds, created_at) overriding system value
  select company_id, 'Perusahaan Contoh ' || company_id, last_no, 0, '{gaji}', ends_at - interval '731 days' from dataset_plan`;

const owners = `insert into accounts (company_id, id, username, name, password_hash, is_owner, language, created_at) overriding system value
  select company_id, first_account + 1, 'pemilik-contoh-' || company_id, 'Pemilik Contoh ' || company_id, password_hash, true, 'id',
    ends_at - interval '731 days' from dataset_plan`;

// Four of five have an account.
const accounts = `insert into accounts (company_id, id, username, name, password_hash, created_at) overriding system value
  select company_id, first_account + 1 + i, 'karyawan-contoh-' || first_employee + i, dataset_name(i), password_hash,
    ends_at - interval '700 days' from dataset_plan p, generate_series(1, employees) i where i % 5 <> 0 or i <= 5`;

const employees = `insert into employees (company_id, id, account_id, name, role, active, read_up_to, created_at) overriding system value
  select company_id, first_employee + i, case when i % 5 <> 0 or i <= 5 then first_account + 1 + i end, dataset_name(i),
    (array['Kasir','Gudang','Sopir','Admin','Teknisi','Produksi','Satpam','Manajer'])[1 + dataset_pick(i, 3, 8)], ${isActive},
    case when company_id = 1 and i <= 5 then (array[0, sends, sends - 200 * 75, 0, 0])[i]
      else case dataset_pick(i, 4, 10) when 0 then 0 when 1 then sends / 2 when 2 then sends / 2 when 3 then sends when 4 then sends
        when 5 then sends else sends - sends / 200 * dataset_pick(i, 5, 10) end end,
    ends_at - interval '730 days' from dataset_plan p, generate_series(1, employees) i`;

// One in 25 was inactive for a quarter of the time, one in 20 joined later; employee 4 of the
// largest company left 200 times.
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

const devices = `insert into push_subscriptions (company_id, employee_id, endpoint_hash, endpoint, p256dh, auth, session_id)
  select p.company_id, first_employee + i, sha256(convert_to('contoh ' || first_employee + i, 'UTF8')), 'https://push.example/' || i, 'x', 'y',
    (select min(s.id) from sessions s where s.company_id = p.company_id and s.account_id = first_account + 1 + i)
  from dataset_plan p, generate_series(1, employees) i where i % 10 = 1 and p.company_id > 1`;

const preferences = `insert into preferences (company_id, employee_id, muted_kinds)
  select company_id, first_employee + i, '{timer}' from dataset_plan, generate_series(1, employees) i where i % 10 = 2`;

/** Inserts companies, owners, accounts, employees with their spans, keys and portals. */
export async function addPeople(sql: postgres.Sql): Promise<void> {
  for (const statement of [companies, owners, accounts, employees, spans, countActive, keys, preferences])
    await sql.unsafe(statement);
  for (const statement of [portals, sessions, invitations, devices]) await sql.unsafe(statement);
  for (const table of ['companies', 'accounts', 'employees', 'api_keys'])
    await sql.unsafe(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
  await sql`analyze employees, employment`;
}
