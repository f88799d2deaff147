import { db, matches } from '#db/client.ts';
import { nullIfUnavailable } from '#db/driver/errors.ts';
import { and, count, desc, eq, gt, inArray, isNull, sql } from '#db/drizzle.cjs';
import { notifications } from '#db/schema/tables.ts';
import { findSettings } from '#server/audit/record.ts';
import { e, fromRecipients, isToEveryone, n, r, reminderConcerns } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import { maxExaminedByPeople } from '#server/sends/history/send-list.ts';

/** How many people a send was shown to, read it, confirmed it, and did so before its last correction. */
export type SendOutcome = Record<'shown' | 'read' | 'confirmed' | 'beforeCorrection', number> & { answers: number[] };

/** The outcomes of these sends by number. Null when the database did not answer in time. */
export async function countOutcomes(manager: Manager, numbers: number[]): Promise<Map<number, SendOutcome> | null> {
  if (numbers.length === 0) return new Map();
  const { companyId } = manager;
  const chosen = sql`any(${sql.param(numbers)}::bigint[])`;
  // As text: a report of several steps.
  const query = db().execute<SendOutcome & { no: number }>(sql`
    with n as materialized (
      select company_id, no, recipient_id, is_listed, reminds_no, corrected_at from notifications
      where company_id = ${companyId} and no = ${chosen} and reach > 0
    ), done as (
      select r.no, count(r.shown_at) as shown, count(r.confirmed_at) as confirmed,
        count(*) filter (where r.confirmed_at < n.corrected_at) as before_correction,
        array[count(*) filter (where r.answer = 1), count(*) filter (where r.answer = 2),
          count(*) filter (where r.answer = 3), count(*) filter (where r.answer = 4)]::int[] as answers,
        count(*) filter (where r.read_at is not null and r.unread_at is null and r.no > e.read_up_to) as read_later,
        count(*) filter (where r.unread_at is not null and r.no <= e.read_up_to) as unread_again
      from receipts r join employees e on e.company_id = r.company_id and e.id = r.employee_id join n on n.no = r.no
      where r.company_id = ${companyId} and r.no = ${chosen} group by r.no
    ), marked as (
      ${markedBroadcasts(companyId)}
      union all
      ${markedReminders(companyId)}
      union all
      ${markedLists(companyId)}
      union all
      select n.no, 1 from n join employees e on e.company_id = n.company_id and e.id = n.recipient_id and n.no <= e.read_up_to
    )
    select n.no, coalesce(done.shown, 0)::int as shown, coalesce(done.confirmed, 0)::int as confirmed,
      coalesce(done.before_correction, 0)::int as "beforeCorrection",
      coalesce(done.answers, '{0,0,0,0}') as answers,
      (coalesce(marked.read, 0) + coalesce(done.read_later, 0) - coalesce(done.unread_again, 0))::int as read
    from n left join done on done.no = n.no left join marked on marked.no = n.no`);
  const rows = await query.catch(nullIfUnavailable);
  const none = { shown: 0, read: 0, confirmed: 0, beforeCorrection: 0, answers: [0, 0, 0, 0] };
  const nothing = numbers.map((no) => ({ no, ...none }));
  return rows && new Map([...nothing, ...rows].map(({ no, ...outcome }) => [no, outcome]));
}

/**
 * For each broadcast of `n`, how many people's watermark covers it. A period covers the numbers from its beginning to
 * its end or the watermark, both places in the sorted list of numbers: one pass over the people is enough.
 */
const markedBroadcasts = (companyId: number) => sql`
  select sorted.no, sum(periods.count) as read
  from unnest((select array_agg(no order by no) from n where ${isToEveryone} and reminds_no is null)) with ordinality sorted (no, place)
  join (
    select width_bucket(s.from_no, list.numbers) as first, count(*) as count,
      width_bucket(least(e.read_up_to, coalesce(s.until_no, e.read_up_to)), list.numbers) as last
    from (select array_agg(no order by no) as numbers from n where ${isToEveryone} and reminds_no is null) list
    join employees e on e.company_id = ${companyId} and e.read_up_to >= list.numbers[1]
    join employment s on s.company_id = e.company_id and s.employee_id = e.id
    group by 1, 3
  ) periods on periods.first < sorted.place and sorted.place <= periods.last
  group by sorted.no`;

// The same for reminders to everyone. A query checks for each person whether a reminder is theirs.
const markedReminders = (companyId: number) => sql`
  select n.no, count(*) as read from n
  join employees e on e.company_id = ${companyId} and e.read_up_to >= n.no
  join employment s on s.company_id = e.company_id and s.employee_id = e.id and s.from_no < n.no and n.no <= coalesce(s.until_no, n.no)
  where ${isToEveryone} and n.reminds_no is not null and ${reminderConcerns(e.id)} group by n.no`;

// The same for sends to lists. With an array, PostgreSQL never reads the lists of other sends.
const markedLists = (companyId: number) => sql`
  select p.no, count(*) as read from notification_people p
  join employees e on e.company_id = ${companyId} and e.id = p.employee_id and e.read_up_to >= p.no
  where p.company_id = ${companyId} and p.no = any(array(select no from n where is_listed)) group by p.no`;

/** The sends, or this one, that active people have still to confirm, most first. Null as `countOutcomes`. */
export async function listUnconfirmedSends(manager: Manager, only?: number) {
  const { companyId } = manager;
  const { activeEmployees } = await findSettings(manager, ['activeEmployees']);
  const { no, recipientId, mustConfirm, reach } = notifications;
  const isStanding = matches(notifications, { companyId, withdrawnAt: null, ...(only && { no: only }) });
  const asked = db()
    .select({ no })
    .from(notifications)
    .where(and(isStanding, mustConfirm, gt(reach, 0)))
    // Of those to one person, a month of salaries has hundreds.
    .orderBy(desc(isNull(recipientId)), desc(no))
    .limit(maxExaminedByPeople(activeEmployees));
  const isMissing = and(eq(n.companyId, companyId), inArray(n.no, asked), e.active, isNull(r.confirmedAt));
  const missing = count();
  return fromRecipients(db().select({ no: n.no, title: n.title, missing }).from(n).$dynamic(), isMissing)
    .groupBy(n.no, n.title)
    .orderBy(desc(missing), desc(n.no))
    .catch(nullIfUnavailable);
}
