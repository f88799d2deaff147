import { type Fragment, sql, type Transaction } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { recordAudit, recordAudits } from '#server/audit/record.ts';
import { asDetails, type DraftContent, draftColumns } from '#server/sends/manual/drafts.ts';

// More than two months, so that every schedule has a day.
const daysAhead = 70;

const dayOf = (timestamp: Fragment) => sql()`greatest(r.starts_on, (${timestamp} at time zone r.time_zone)::date)`;

// The times of a rule on a number of days from `first` on. PostgreSQL converts each day's time, so that a
// change to summer time keeps the time of day. A month without the rule's day uses its last day.
const timesOf = (first: Fragment, days: Fragment) => sql()`
  select (days.day + make_interval(mins => r.minute)) at time zone r.time_zone as at
  from (select ${first} + ahead as day from generate_series(0, ${days}) ahead) days
  where (r.ends_on is null or days.day <= r.ends_on)
    and (r.every <> 'week' or extract(isodow from days.day)::int = any(r.weekdays))
    and (r.every <> 'month' or extract(day from days.day)::int = least(r.month_day,
      extract(day from date_trunc('month', days.day::timestamp) + interval '1 month' - interval '1 day')::int))`;

/** SQL of the first time of the rule `r` after a timestamp, or null. */
export const nextTime = (after: Fragment) => sql()`(
  select min(found.at) from (${timesOf(dayOf(after), sql()`${daysAhead}::int`)}) found where found.at > ${after})`;

/** SQL that selects, as `at`, all times of the rule `r` after a timestamp and up to another one. */
export const timesBetween = (after: Fragment, until: Fragment) => sql()`
  select found.at from (${timesOf(dayOf(after), sql()`${dayOf(until)} - ${dayOf(after)}`)}) found
  where found.at > ${after} and found.at <= ${until}`;

// Gives what a rule planned its picture.
const copyPictures = (tx: Transaction, companyId: number, ruleId: number) => tx`
  insert into notification_pictures (company_id, draft_id, jpeg, width, height)
  select p.company_id, p.draft_id, o.jpeg, o.width, o.height from send_rules r
  join notification_pictures o on o.company_id = r.company_id and o.draft_id = r.picture_id
  join planned_sends p on p.company_id = r.company_id and p.rule_id = r.id and p.undone_at is null
  where r.company_id = ${companyId} and r.id = ${ruleId} on conflict do nothing`;

// How many missed sends of a rule are listed, the newest. Earlier ones are counted.
const maxMissedOfRule = 7;

/**
 * Plans the next send of a rule, in the transaction that sent, missed or skipped the one of
 * `lastAt`; `draftId` names it. A time that passed more than an hour ago is left out:
 * `insertMissed` asks about it. Ends the rule when it has no further time. The rule's row is
 * locked. Returns its time, or null.
 */
export async function insertNext(
  tx: Transaction,
  companyId: number,
  ruleId: number,
  lastAt: Date | null,
  draftId: string | null = null,
): Promise<Date | null> {
  const after = sql()`greatest(${lastAt}::timestamptz, now() - case when ${lastAt}::timestamptz is null
    then interval '0' else interval '1 hour' end)`;
  const [next] = await tx<{ leavesAt: Date }[]>`
    insert into planned_sends (company_id, draft_id, account_id, ${draftColumns()}, is_planned, rule_id, leaves_at)
    select company_id, coalesce(${draftId}::uuid, gen_random_uuid()), account_id, ${draftColumns()}, true, id, next.at
    from send_rules r cross join lateral (select ${nextTime(after)} as at) next
    where r.company_id = ${companyId} and r.id = ${ruleId} and r.ended_at is null and next.at is not null
    returning leaves_at as "leavesAt"`;
  if (next) {
    await copyPictures(tx, companyId, ruleId);
    return next.leavesAt;
  }
  const [ended] = await tx<Pick<Rows['sendRules'], 'title'>[]>`
    update send_rules set ended_at = now()
    where company_id = ${companyId} and id = ${ruleId} and ended_at is null returning title`;
  if (ended) await recordAudit(tx, { companyId, kind: 'system' }, 'rule.end', { title: ended.title });
  return null;
}

/**
 * Inserts missed sends for the times after `lastAt` that a rule missed in an outage, in the
 * transaction in which `lastAt` was missed. At most `maxMissedOfRule` missed sends of a rule stay,
 * also of a rule that misses one each day. The oldest counts those before it. The rule's row is locked.
 */
export async function insertMissed(
  tx: Transaction,
  companyId: number,
  ruleId: number,
  lastAt: Date,
  content: DraftContent,
): Promise<void> {
  const times = await tx<{ leavesAt: Date }[]>`
    select missed.at as "leavesAt" from send_rules r
    cross join lateral (${timesBetween(sql()`${lastAt}::timestamptz`, sql()`(now() - interval '1 hour')`)}) missed
    where r.company_id = ${companyId} and r.id = ${ruleId} and r.ended_at is null order by missed.at`;
  const leaveTimes = times.slice(-maxMissedOfRule).map(({ leavesAt }) => leavesAt);
  const leftOut = times.length - leaveTimes.length;
  if (leaveTimes.length > 0) {
    await tx`
      insert into planned_sends (company_id, draft_id, account_id, ${draftColumns()}, is_planned, rule_id, leaves_at,
        missed_at)
      select company_id, gen_random_uuid(), account_id, ${draftColumns()}, true, id, at, now()
      from send_rules r cross join unnest(${leaveTimes.map((time) => time.toISOString())}::text[]::timestamptz[]) at
      where r.company_id = ${companyId} and r.id = ${ruleId}`;
    const entries = leaveTimes.map((time) => asDetails(content, time));
    if (leftOut > 0) Object.assign(entries[0] ?? {}, { leftOut });
    await recordAudits(tx, { companyId, kind: 'system' }, 'plan.miss', entries);
    await copyPictures(tx, companyId, ruleId);
  }
  await tx`
    with missed as (
      select draft_id, missed_before, row_number() over (order by leaves_at desc, draft_id) as place from planned_sends
      where company_id = ${companyId} and rule_id = ${ruleId} and missed_at is not null and undone_at is null
    )
    update planned_sends p set
      undone_at = case when place > ${maxMissedOfRule} then now() end,
      missed_before = case when place > ${maxMissedOfRule} then p.missed_before else p.missed_before + ${leftOut}::int
        + (select coalesce(sum(missed_before + 1), 0)::int from missed where place > ${maxMissedOfRule}) end
    from missed
    where p.company_id = ${companyId} and p.draft_id = missed.draft_id and missed.place >= ${maxMissedOfRule}`;
}
