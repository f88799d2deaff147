import { sql } from '#db/client.ts';
import type { Owner } from '#server/principals.ts';

/** The requests of a key in an hour that began at `at`, and the refused ones among them. */
export type TrafficHour = { at: Date; requests: number; refused: number };

/** The requests of a key on a day (YYYY-MM-DD), and the refused ones among them. */
export type TrafficDay = { day: string; requests: number; refused: number };

/**
 * The traffic of a key: the last 24 hours, by whole hours, and the last 30 days in the company's
 * time zone, both from the oldest to the current one.
 */
export type KeyTraffic = { hours: TrafficHour[]; days: TrafficDay[] };

/** Reads the traffic of a key. All figures are 0 for a key of another company. */
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
