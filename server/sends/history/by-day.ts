import { sql } from '#db/client.ts';
import type { Manager } from '#server/principals.ts';

/** How many sends a company made on a day of its time zone, such as `2026-11-22`. */
export type DayOfSends = { day: string; sends: number };

/**
 * Counts the sends of the last `days` days, today included, oldest first. It looks up one number at
 * each midnight, so the cost does not depend on the number of sends. A number that a withdrawal
 * took does not count. A send within seconds of midnight may count for the day beside it, because
 * numbers follow time within seconds.
 */
export async function countSendsByDay({ companyId, timeZone }: Manager, days = 14): Promise<DayOfSends[]> {
  return await sql()<DayOfSends[]>`
    with company as (
      select last_no, (now() at time zone ${timeZone})::date as today from companies where id = ${companyId}
    ), midnights as (
      select c.today - ago as day, case when ago = -1 then c.last_no else coalesce((
        select (a.details->>'no')::bigint from audit_log a
        where a.company_id = ${companyId} and a.action = 'notification.send'
          and a.at < (c.today - ago)::timestamp at time zone ${timeZone}
        order by a.at desc limit 1
      ), 0) end as no
      from company c, generate_series(-1, ${days - 1}::int) ago
    ), days as (
      select day, no as above, lead(no) over (order by day) as up_to from midnights
    )
    select day::text, (up_to - above - (
      select count(distinct withdrawn_no) from notifications
      where company_id = ${companyId} and withdrawn_no > above and withdrawn_no <= up_to
    ))::int as sends
    from days where up_to is not null order by day`;
}
