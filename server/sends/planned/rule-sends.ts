import { db, matches, type Transaction } from '#db/client.ts';
import { alias, and, isNull, type SQL, sql } from '#db/drizzle.cjs';
import { plannedSends, sendRules } from '#db/schema/tables.ts';
import { recordAudit } from '#server/audit/record.ts';
import { asDetails, type DraftContent } from '#server/sends/drafts.ts';

// More than two months, so that every schedule has a day.
const daysAhead = 70;

const r = alias(sendRules, 'r');

const dayOf = (timestamp: SQL) => sql`greatest(${r.startsOn}, (${timestamp} at time zone ${r.timeZone})::date)`;

// The times of a rule on a number of days from `first` on. PostgreSQL converts each day's time, so that a
// change to summer time keeps the time of day. A month without the rule's day uses its last day.
const timesOf = (first: SQL, days: SQL) => sql`
  select (days.day + make_interval(mins => ${r.minute})) at time zone ${r.timeZone} as at
  from (select ${first} + ahead as day from generate_series(0, ${days}) ahead) days
  where (${r.endsOn} is null or days.day <= ${r.endsOn})
    and (${r.every} <> 'week' or extract(isodow from days.day)::int = any(${r.weekdays}))
    and (${r.every} <> 'month' or extract(day from days.day)::int = least(${r.monthDay},
      extract(day from date_trunc('month', days.day::timestamp) + interval '1 month' - interval '1 day')::int))`;

/** The first time of the rule `r` after a timestamp, or null. */
export const nextTime = (after: SQL) => sql<Date | null>`(
  select min(found.at) from (${timesOf(dayOf(after), sql`${daysAhead}::int`)}) found where found.at > ${after})`;

/** A query of `at`: all times of the rule `r` after a timestamp and up to another one. */
export const timesBetween = (after: SQL, until: SQL) => sql`
  select found.at from (${timesOf(dayOf(after), sql`${dayOf(until)} - ${dayOf(after)}`)}) found
  where found.at > ${after} and found.at <= ${until}`;

/** A condition over `planned_sends`: it has neither left nor been undone or missed. */
export const isWaiting = and(isNull(plannedSends.undoneAt), isNull(plannedSends.missedAt));

// Plans a send of a running rule for each row of `times`, a query of `at`, with the picture of the rule. Returns their
// times. As text: the builder's `insert … select` has to name all columns of a table.
async function insertOfRule(
  tx: Transaction,
  companyId: number,
  ruleId: number,
  times: SQL,
  { draftId = null, isMissed = false }: { draftId?: string | null; isMissed?: boolean },
): Promise<Date[]> {
  const planned = await db(tx).execute<{ leavesAt: Date }>(sql`
    insert into planned_sends (company_id, draft_id, account_id, recipient_id, to_roles, to_people, title, body, kind, url,
      must_confirm, answers, is_planned, rule_id, leaves_at, missed_at)
    select r.company_id, coalesce(${draftId}::uuid, gen_random_uuid()), r.account_id, r.recipient_id, r.to_roles,
      r.to_people, r.title, r.body, r.kind, r.url, r.must_confirm, r.answers, true, r.id, times.at,
      case when ${isMissed} then now() end
    from send_rules r cross join lateral (${times}) times
    where r.company_id = ${companyId} and r.id = ${ruleId} and r.ended_at is null and times.at is not null
    returning leaves_at as "leavesAt"`);
  await db(tx).execute(sql`
    insert into notification_pictures (company_id, draft_id, jpeg, width, height)
    select p.company_id, s.draft_id, p.jpeg, p.width, p.height from send_rules r
    join notification_pictures p on p.company_id = r.company_id and p.draft_id = r.picture_id
    join planned_sends s on s.company_id = r.company_id and s.rule_id = r.id and s.undone_at is null
    where r.company_id = ${companyId} and r.id = ${ruleId} on conflict do nothing`);
  return planned.map(({ leavesAt }) => leavesAt);
}

// How many missed sends of a rule are listed, the newest. Earlier ones are counted.
const maxMissedOfRule = 7;

/**
 * Plans the next send of a rule, whose row is locked, in the transaction that sent, missed or skipped the one of
 * `lastAt`; `draftId` names it. A time that passed more than an hour ago is left out: `insertMissed` asks about it.
 * Ends a rule without a further time. Returns the time, or null.
 */
export async function insertNext(
  tx: Transaction,
  companyId: number,
  ruleId: number,
  lastAt: Date | null,
  draftId: string | null = null,
): Promise<Date | null> {
  const last = sql`${lastAt}::timestamptz`;
  const after = sql`greatest(${last}, now() - case when ${last} is null then interval '0' else interval '1 hour' end)`;
  const [next] = await insertOfRule(tx, companyId, ruleId, sql`select ${nextTime(after)} as at`, { draftId });
  if (next) return next;
  const isRunning = matches(sendRules, { companyId, id: ruleId, endedAt: null });
  const ending = db(tx).update(sendRules).set({ endedAt: sql`now()` }).where(isRunning);
  const [ended] = await ending.returning({ title: sendRules.title });
  if (ended) await recordAudit(tx, { companyId, kind: 'system' }, 'rule.end', { title: ended.title });
  return null;
}

/**
 * Inserts missed sends for the times after `lastAt` that a rule, whose row is locked, missed in an outage. At most
 * `maxMissedOfRule` missed sends of a rule stay. The oldest counts those before it.
 */
export async function insertMissed(
  tx: Transaction,
  companyId: number,
  ruleId: number,
  lastAt: Date,
  content: DraftContent,
): Promise<void> {
  const missedTimes = timesBetween(sql`${lastAt}::timestamptz`, sql`(now() - interval '1 hour')`);
  const times = await db(tx)
    .select({ leavesAt: sql<Date>`passed.at` })
    .from(r)
    .crossJoinLateral(sql`(${missedTimes}) passed`)
    .where(matches(r, { companyId, id: ruleId, endedAt: null }))
    .orderBy(sql`passed.at`);
  const leaveTimes = times.slice(-maxMissedOfRule).map(({ leavesAt }) => leavesAt);
  const leftOut = times.length - leaveTimes.length;
  if (leaveTimes.length > 0) {
    const list = sql`select at from unnest(${sql.param(leaveTimes.map((time) => time.toISOString()))}::text[]::timestamptz[]) at`;
    await insertOfRule(tx, companyId, ruleId, list, { isMissed: true });
    const entries = leaveTimes.map((time) => asDetails(content, time));
    if (leftOut > 0) Object.assign(entries[0] ?? {}, { leftOut });
    await recordAudit(tx, { companyId, kind: 'system' }, 'plan.miss', entries);
  }
  // As text: with the builder it is three times as long.
  await db(tx).execute(sql`
    with missed as (
      select draft_id, missed_before, row_number() over (order by leaves_at desc, draft_id) as index from planned_sends
      where company_id = ${companyId} and rule_id = ${ruleId} and missed_at is not null and undone_at is null
    )
    update planned_sends p set
      undone_at = case when index > ${maxMissedOfRule} then now() end,
      missed_before = case when index > ${maxMissedOfRule} then p.missed_before else p.missed_before + ${leftOut}::int
        + (select coalesce(sum(missed_before + 1), 0)::int from missed where index > ${maxMissedOfRule}) end
    from missed
    where p.company_id = ${companyId} and p.draft_id = missed.draft_id and missed.index >= ${maxMissedOfRule}`);
}
