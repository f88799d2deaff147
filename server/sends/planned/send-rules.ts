import { randomUUID } from 'node:crypto';
import { countRows, db, deleteRows, matches, requireRow, type Transaction, updateRows } from '#db/client.ts';
import { type PersonTransaction, withManager } from '#db/company-row.ts';
import { alias, and, isNull, type SQL, sql } from '#db/drizzle.cjs';
import { plannedSends, sendRules } from '#db/schema/tables.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Manager } from '#server/principals.ts';
import {
  areInCompany,
  asDetails,
  type DraftContent,
  draftValues,
  isQueued,
  isSent,
  type ManualDraft,
} from '#server/sends/drafts.ts';
import { attachPicture } from '#server/sends/pictures/pictures.ts';
import type { Recurrence } from '#server/sends/planned/recurrences.ts';

export const maxRules = 50;

/**
 * When a rule sends, in the company's time zone: at `time` (`08:00`), from `startsOn` to `endsOn`. `weekdays` (1:
 * Monday) is for `week`, `monthDay` (31: the last day) for `month`.
 */
export type Schedule = {
  every: Recurrence;
  weekdays: number[];
  monthDay: number | null;
  time: string;
  startsOn: string;
  endsOn: string | null;
};

/** Why a rule is rejected: it has no time in the next two months, or a person is not there. */
type RuleProblem = 'never' | 'not-in-company' | 'too-many';

const scheduleValues = ({ timeZone }: Manager, { every, weekdays, monthDay, time, startsOn, endsOn }: Schedule) => ({
  every,
  weekdays: every === 'week' ? weekdays : null,
  monthDay: every === 'month' ? monthDay : null,
  minute: sql<number>`(extract(epoch from ${time}::text::time) / 60)::int`,
  timeZone,
  startsOn,
  endsOn,
});

async function hasTime(tx: PersonTransaction, values: ReturnType<typeof scheduleValues>): Promise<boolean> {
  const { every, weekdays, monthDay, minute, timeZone, startsOn, endsOn } = values;
  const [next] = await db(tx).execute<{ leavesAt: Date | null }>(sql`
    select ${nextTime(sql`now()`)} as "leavesAt" from (
      select ${every}::text as every, ${sql.param(weekdays)}::int[] as weekdays, ${monthDay}::int as month_day,
        ${minute} as minute, ${timeZone}::text as time_zone, ${startsOn}::text::date as starts_on,
        ${endsOn}::text::date as ends_on) r`);
  return next?.leavesAt != null;
}

// What is stored of a rule, whose sender the manager is, with a copy of the picture under an id of the rule.
async function makeValues(tx: PersonTransaction, manager: Manager, content: DraftContent, schedule: Schedule) {
  const times = scheduleValues(manager, schedule);
  if (!(await areInCompany(tx, manager, content))) return 'not-in-company';
  if (!(await hasTime(tx, times))) return 'never';
  const pictureId = content.picture ? randomUUID() : null;
  if (pictureId && content.picture) await attachPicture(tx, manager, pictureId, content.picture);
  return { accountId: manager.accountId, ...draftValues(content), ...times, pictureId };
}

async function planFirst(tx: PersonTransaction, companyId: number, id: number, draftId?: string): Promise<Date> {
  const leavesAt = await insertNext(tx, companyId, id, null, draftId);
  if (!leavesAt) throw new Error('the rule has no next time');
  return leavesAt;
}

/** Makes a rule and plans its first send, with the draft's id: a second submit makes none. Returns when it leaves. */
export async function makeRule(
  manager: Manager,
  { draftId, ...content }: ManualDraft,
  schedule: Schedule,
): Promise<{ leavesAt: Date } | 'made-before' | RuleProblem> {
  const { companyId } = manager;
  return withManager(manager, async (tx) => {
    // Two submits of one draft: the second one waits for the company's row, and then finds the first.
    if ((await isQueued(tx, manager, draftId)) || (await isSent(tx, manager, draftId))) return 'made-before';
    if ((await countRows(db(tx), sendRules, { companyId, endedAt: null })) >= maxRules) return 'too-many';
    const values = await makeValues(tx, manager, content, schedule);
    if (typeof values === 'string') return values;
    const rule = { companyId, ...values };
    const { id } = await requireRow(db(tx).insert(sendRules).values(rule).returning({ id: sendRules.id }));
    const leavesAt = await planFirst(tx, companyId, id, draftId);
    await recordAudit(tx, manager, 'rule.create', { ...asDetails(content, leavesAt), ...describeSchedule(schedule) });
    return { leavesAt };
  });
}

/** Changes a rule, this and all following; the manager becomes its sender. Returns when the next one leaves. */
export async function changeRule(
  manager: Manager,
  id: number,
  content: DraftContent,
  schedule: Schedule,
): Promise<{ leavesAt: Date } | 'gone' | RuleProblem> {
  const { companyId } = manager;
  return withManager(manager, async (tx) => {
    const title = await findTitle(tx, manager, id);
    if (title === null) return 'gone';
    const values = await makeValues(tx, manager, content, schedule);
    if (typeof values === 'string') return values;
    await updateRows(db(tx), sendRules, { companyId, id }, values);
    await deleteRows(db(tx), plannedSends, { companyId, ruleId: id }, isWaiting);
    const leavesAt = await planFirst(tx, companyId, id);
    const details = { ...asDetails(content, leavesAt), ...describeSchedule(schedule), was: { title } };
    await recordAudit(tx, manager, 'rule.edit', details);
    return { leavesAt };
  });
}

/** Ends a rule: what it planned does not leave. Returns `'gone'` when it has ended already. */
export async function endRule(manager: Manager, id: number): Promise<'ended' | 'gone'> {
  const { companyId } = manager;
  return withManager(manager, async (tx) => {
    const title = await findTitle(tx, manager, id);
    if (title === null) return 'gone';
    await updateRows(db(tx), sendRules, { companyId, id }, { endedAt: sql`now()` });
    await updateRows(db(tx), plannedSends, { companyId, ruleId: id }, { undoneAt: sql`now()` }, isWaiting);
    await recordAudit(tx, manager, 'rule.end', { title });
    return 'ended';
  });
}

// The title of a running rule, or null when there is none.
async function findTitle(tx: PersonTransaction, manager: Manager, id: number): Promise<string | null> {
  const isRunning = matches(sendRules, { companyId: manager.companyId, id, endedAt: null });
  const [rule] = await db(tx).select({ title: sendRules.title }).from(sendRules).where(isRunning);
  return rule?.title ?? null;
}

const describeSchedule = (schedule: Schedule) => ({
  ...schedule,
  weekdays: schedule.every === 'week' ? schedule.weekdays : undefined,
  monthDay: schedule.every === 'month' ? schedule.monthDay : undefined,
});

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

/**
 * Plans the next send of a rule, with its picture, in the transaction that sent, missed or skipped the one of `lastAt`;
 * `draftId` names it. A time that passed more than an hour ago is left out: `joinMissed` counts it. Ends a rule without
 * a further time. Returns the time, or null.
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
  // As text: the builder's `insert … select` has to name all columns of a table.
  const [next] = await db(tx).execute<{ leavesAt: Date }>(sql`
    insert into planned_sends (company_id, draft_id, account_id, recipient_id, to_roles, to_people, title, body, kind, url,
      must_confirm, answers, is_planned, rule_id, leaves_at)
    select r.company_id, coalesce(${draftId}::uuid, gen_random_uuid()), r.account_id, r.recipient_id, r.to_roles,
      r.to_people, r.title, r.body, r.kind, r.url, r.must_confirm, r.answers, true, r.id, next.at
    from send_rules r cross join lateral (select ${nextTime(after)} as at) next
    where r.company_id = ${companyId} and r.id = ${ruleId} and r.ended_at is null and next.at is not null
    returning leaves_at as "leavesAt"`);
  await db(tx).execute(sql`
    insert into notification_pictures (company_id, draft_id, jpeg, width, height)
    select p.company_id, s.draft_id, p.jpeg, p.width, p.height from send_rules r
    join notification_pictures p on p.company_id = r.company_id and p.draft_id = r.picture_id
    join planned_sends s on s.company_id = r.company_id and s.rule_id = r.id and s.undone_at is null
    where r.company_id = ${companyId} and r.id = ${ruleId} on conflict do nothing`);
  if (next) return next.leavesAt;
  const isRunning = matches(sendRules, { companyId, id: ruleId, endedAt: null });
  const ending = db(tx).update(sendRules).set({ endedAt: sql`now()` }).where(isRunning);
  const [ended] = await ending.returning({ title: sendRules.title });
  if (ended) await recordAudit(tx, { companyId, kind: 'system' }, 'rule.end', { title: ended.title });
  return null;
}

/**
 * Lets a missed send of a rule stand for all that the rule missed: it gets the newest time, and counts the earlier ones
 * of this outage (`leftOut`) and of those before.
 */
export async function joinMissed(tx: Transaction, companyId: number, ruleId: number, draftId: string, lastAt: Date) {
  const passed = timesBetween(sql`${lastAt}::timestamptz`, sql`(now() - interval '1 hour')`);
  // As text: with the builder it is three times as long.
  const joined = db(tx).execute<{ leavesAt: Date; leftOut: number }>(sql`
    with passed as (
      select count(*)::int as count, max(times.at) as newest from send_rules r cross join lateral (${passed}) times
      where r.company_id = ${companyId} and r.id = ${ruleId} and r.ended_at is null
    ), earlier as (
      update planned_sends set undone_at = now()
      where company_id = ${companyId} and rule_id = ${ruleId} and draft_id <> ${draftId} and missed_at is not null
        and undone_at is null
      returning missed_before + 1 as count
    )
    update planned_sends set leaves_at = coalesce(passed.newest, leaves_at),
      missed_before = passed.count + (select coalesce(sum(count), 0)::int from earlier)
    from passed where company_id = ${companyId} and draft_id = ${draftId}
    returning leaves_at as "leavesAt", passed.count as "leftOut"`);
  return requireRow(joined);
}
