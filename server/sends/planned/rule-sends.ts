import { db, type Transaction } from '#db/client.ts';
import { alias, and, eq, isNull, type SQL, sql } from '#db/drizzle.cjs';
import { notificationPictures, plannedSends, sendRules } from '#db/schema/tables.ts';
import { recordAudit } from '#server/audit/record.ts';
import { asDetails, type DraftContent } from '#server/sends/manual/drafts.ts';

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

// Gives what a rule planned its picture.
function copyPictures(tx: Transaction, companyId: number, ruleId: number) {
  const { draftId, jpeg, width, height } = notificationPictures;
  const picture = { companyId: r.companyId, draftId: plannedSends.draftId, jpeg, width, height };
  const query = db(tx)
    .select({ ...picture, createdAt: sql`now()`.as('created_at') })
    .from(r)
    .innerJoin(notificationPictures, and(eq(notificationPictures.companyId, companyId), eq(draftId, r.pictureId)))
    .innerJoin(plannedSends, and(eq(plannedSends.companyId, companyId), eq(plannedSends.ruleId, r.id)))
    .where(and(eq(r.companyId, companyId), eq(r.id, ruleId), isNull(plannedSends.undoneAt)));
  return db(tx).insert(notificationPictures).select(query).onConflictDoNothing();
}

// The columns of what a rule plans, over the rule `r`.
const plannedOfRule = (draftId: SQL, leavesAt: SQL, missedAt: SQL) => ({
  companyId: r.companyId,
  draftId: draftId.as('draft_id'),
  accountId: r.accountId,
  recipientId: r.recipientId,
  toRoles: r.toRoles,
  toPeople: r.toPeople,
  title: r.title,
  body: r.body,
  kind: r.kind,
  url: r.url,
  mustConfirm: r.mustConfirm,
  isPlanned: sql`true`.as('is_planned'),
  ruleId: r.id,
  createdAt: sql`now()`.as('created_at'),
  leavesAt: leavesAt.as('leaves_at'),
  undoneAt: sql`null::timestamptz`.as('undone_at'),
  missedAt: missedAt.as('missed_at'),
  missedBefore: sql`0`.as('missed_before'),
  remindsNo: sql`null::bigint`.as('reminds_no'),
  answers: r.answers,
});

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
  const last = sql`${lastAt}::timestamptz`;
  const after = sql`greatest(${last}, now() - case when ${last} is null then interval '0' else interval '1 hour' end)`;
  const isRunning = and(eq(r.companyId, companyId), eq(r.id, ruleId), isNull(r.endedAt));
  const planned = db(tx)
    .select(plannedOfRule(sql`coalesce(${draftId}::uuid, gen_random_uuid())`, sql`next.at`, sql`null::timestamptz`))
    .from(r)
    .crossJoinLateral(sql`(select ${nextTime(after)} as at) next`)
    .where(and(isRunning, sql`next.at is not null`));
  const [next] = await db(tx).insert(plannedSends).select(planned).returning({ leavesAt: plannedSends.leavesAt });
  if (next) {
    await copyPictures(tx, companyId, ruleId);
    return next.leavesAt;
  }
  const [ended] = await db(tx)
    .update(sendRules)
    .set({ endedAt: sql`now()` })
    .where(and(eq(sendRules.companyId, companyId), eq(sendRules.id, ruleId), isNull(sendRules.endedAt)))
    .returning({ title: sendRules.title });
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
  const ofRule = and(eq(r.companyId, companyId), eq(r.id, ruleId));
  const missedTimes = timesBetween(sql`${lastAt}::timestamptz`, sql`(now() - interval '1 hour')`);
  const times = await db(tx)
    .select({ leavesAt: sql<Date>`passed.at` })
    .from(r)
    .crossJoinLateral(sql`(${missedTimes}) passed`)
    .where(and(ofRule, isNull(r.endedAt)))
    .orderBy(sql`passed.at`);
  const leaveTimes = times.slice(-maxMissedOfRule).map(({ leavesAt }) => leavesAt);
  const leftOut = times.length - leaveTimes.length;
  if (leaveTimes.length > 0) {
    const list = sql`unnest(${sql.param(leaveTimes.map((time) => time.toISOString()))}::text[]::timestamptz[]) at`;
    const missed = plannedOfRule(sql`gen_random_uuid()`, sql`at`, sql`now()`);
    await db(tx).insert(plannedSends).select(db(tx).select(missed).from(r).crossJoin(list).where(ofRule));
    const entries = leaveTimes.map((time) => asDetails(content, time));
    if (leftOut > 0) Object.assign(entries[0] ?? {}, { leftOut });
    await recordAudit(tx, { companyId, kind: 'system' }, 'plan.miss', entries);
    await copyPictures(tx, companyId, ruleId);
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
