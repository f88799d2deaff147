import type postgres from 'postgres';

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

const failures = `insert into sign_in_failures (subject, window_started_at, failures)
  select sha256(convert_to('contoh ' || n, 'UTF8')), ends_at - n * interval '0.1 s', 1 + n % 9
  from dataset_plan, generate_series(1, 10000) n where company_id = 1`;

/**
 * Inserts what calls leave behind: traffic and last use of keys, refusals, stored answers, failed
 * sign-ins.
 */
export async function addCalls(sql: postgres.Sql): Promise<void> {
  for (const statement of [traffic, uses, refusals, answers, failures]) await sql.unsafe(statement);
}
