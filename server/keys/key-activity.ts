import { sql } from '#db/client.ts';
import type { KeyCall } from '#server/keys/key-overview.ts';
import { type RejectedRequest, rejectedRequestColumns } from '#server/keys/rejected-requests.ts';
import type { Owner } from '#server/principals.ts';

/**
 * The current activity of a key. `refusals` are the newest 3 of the last 15 minutes, including
 * calls without a key.
 */
type KeyWatch = {
  now: Date;
  revokedAt: Date | null;
  lastUse: KeyCall | null;
  requests: number;
  refusals: RejectedRequest[];
};

const maxRejectedRead = 200;

/**
 * Finds the activity of a key, about a second old; null when the company has no such key. Calls
 * without a key are included only when the service has one company, because otherwise their company
 * is unknown.
 */
export async function watchKey(owner: Owner, id: number): Promise<KeyWatch | null> {
  const [row] = await sql()<(KeyCall & Pick<KeyWatch, 'now' | 'revokedAt' | 'requests'>)[]>`
    select now() as now, k.revoked_at as "revokedAt", u.last_at as at, u.operation, u.address, u.client,
      (select coalesce(sum(requests), 0)::int from key_traffic t
        where t.company_id = k.company_id and t.key_id = k.id and t.hour > now() - interval '24 hours') as requests
    from api_keys k left join key_uses u on u.company_id = k.company_id and u.key_id = k.id
    where k.company_id = ${owner.companyId} and k.id = ${id}`;
  if (!row) return null;
  const { now, revokedAt, requests, ...call } = row;
  const refusals = await sql()<RejectedRequest[]>`
    select ${rejectedRequestColumns()}
    from (select * from refusals where company_id = ${owner.companyId} order by id desc limit ${maxRejectedRead}) r
    left join api_keys k on k.company_id = r.company_id and k.id = r.key_id
    where (r.key_id = ${id} or r.key_id is null) and r.at > now() - interval '15 minutes'
      and r.at >= (select created_at from api_keys where company_id = ${owner.companyId} and id = ${id})
    order by r.id desc limit 3`;
  return { now, revokedAt, requests, lastUse: call.at && call, refusals };
}

/** The requests of a key in an hour that began at `at`, and how many were rejected. */
type TrafficHour = { at: Date; requests: number; refused: number };

/** The requests of a key on a day (YYYY-MM-DD), and how many were rejected. */
type TrafficDay = { day: string; requests: number; refused: number };

/**
 * The traffic of a key: the last 24 hours, by whole hours, and the last 30 days in the company's
 * time zone, both from the oldest to the current one.
 */
type KeyTraffic = { hours: TrafficHour[]; days: TrafficDay[] };

/** Reads the traffic of a key. All counts are 0 for a key of another company. */
export async function readTraffic({ companyId, timeZone }: Owner, keyId: number): Promise<KeyTraffic> {
  const [hours, days] = await Promise.all([
    sql()<TrafficHour[]>`
      select h.at, coalesce(t.requests, 0) as requests, coalesce(t.refused, 0) as refused
      from generate_series(date_trunc('hour', now(), 'UTC') - interval '23 hours', now(), '1 hour') as h (at)
      left join key_traffic t on t.company_id = ${companyId} and t.key_id = ${keyId} and t.hour = h.at
      order by h.at`,
    sql()<TrafficDay[]>`
      with today as (
        select (now() at time zone ${timeZone}::text)::date as day
      ), counted as (
        select (hour at time zone ${timeZone}::text)::date as day, sum(requests)::int as requests, sum(refused)::int as refused
        from key_traffic
        where company_id = ${companyId} and key_id = ${keyId} and hour > now() - interval '31 days' group by 1
      )
      select (today.day - ago)::text as day, coalesce(c.requests, 0) as requests, coalesce(c.refused, 0) as refused
      from today cross join generate_series(29, 0, -1) as ago left join counted c on c.day = today.day - ago
      order by 1`,
  ]);
  return { hours, days };
}
