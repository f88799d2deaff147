import { isDatabaseGone, sql } from '#db/client.ts';
import { reminderConcerns } from '#server/audience.ts';
import type { Owner } from '#server/session.ts';

/** What became of a send: to how many it was shown, how many read it and how many confirmed it. */
export type Outcome = { shown: number; read: number; confirmed: number };

/**
 * The outcome of each of these sends of the owner's company, by number; those that reached nobody are not in it. Counts what people
 * did, and once for all of them who had marked everything as read. Null when that took too long.
 */
export async function countOutcomes(owner: Owner, numbers: number[]): Promise<Map<number, Outcome> | null> {
  if (numbers.length === 0) return new Map();
  const { companyId } = owner;
  const rows = await sql()<(Outcome & { no: number })[]>`
    with n as (
      select company_id, no, recipient_id, reminds_no, created_at from notifications
      where company_id = ${companyId} and no = any(${numbers}::bigint[]) and reach > 0
    ), done as (
      select r.no, count(r.shown_at) as shown, count(r.confirmed_at) as confirmed,
        count(*) filter (where r.read_at is not null and r.unread_at is null and r.no > e.read_up_to) as read_later,
        count(*) filter (where r.unread_at is not null and r.no <= e.read_up_to) as unread_again
      from receipts r join employees e on e.company_id = r.company_id and e.id = r.employee_id
      where r.company_id = ${companyId} and r.no = any(${numbers}::bigint[]) group by r.no
    ), people as materialized (
      select e.id, e.read_up_to, s.from_no, least(e.read_up_to, coalesce(s.until_no, e.read_up_to)) as until_no
      from employment s join employees e on e.company_id = s.company_id and e.id = s.employee_id
      where s.company_id = ${companyId} and e.read_up_to > s.from_no
        and e.read_up_to >= (select min(no) from n where recipient_id is null)
    ), marked as (
      select n.no, count(*) as read from n join people e on e.from_no < n.no and n.no <= e.until_no
      where n.recipient_id is null and ${reminderConcerns()} group by n.no
      union all
      select n.no, 1 from n join employees e on e.company_id = n.company_id and e.id = n.recipient_id and n.no <= e.read_up_to
    )
    select n.no, coalesce(done.shown, 0)::int as shown, coalesce(done.confirmed, 0)::int as confirmed,
      (coalesce(marked.read, 0) + coalesce(done.read_later, 0) - coalesce(done.unread_again, 0))::int as read
    from n left join done on done.no = n.no left join marked on marked.no = n.no`.catch((error: unknown) => {
    if (isDatabaseGone(error)) return null;
    throw error;
  });
  return rows && new Map(rows.map(({ no, ...outcome }) => [no, outcome]));
}
