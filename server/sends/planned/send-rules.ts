import { randomUUID } from 'node:crypto';
import { db, matches, requireRow } from '#db/client.ts';
import { and, sql } from '#db/drizzle.cjs';
import { type PersonTransaction, withManager } from '#db/person-transaction.ts';
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
import { insertNext, isWaiting, nextTime } from '#server/sends/planned/rule-sends.ts';

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
    const areRunning = matches(sendRules, { companyId, endedAt: null });
    if ((await db(tx).$count(sendRules, areRunning)) >= maxRules) return 'too-many';
    const values = await makeValues(tx, manager, content, schedule);
    if (typeof values === 'string') return values;
    const made = db(tx)
      .insert(sendRules)
      .values({ companyId, ...values });
    const { id } = await requireRow(made.returning({ id: sendRules.id }));
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
    await db(tx).update(sendRules).set(values).where(matches(sendRules, { companyId, id }));
    const areWaiting = and(matches(plannedSends, { companyId, ruleId: id }), isWaiting);
    await db(tx).delete(plannedSends).where(areWaiting);
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
    await db(tx).update(sendRules).set({ endedAt: sql`now()` }).where(matches(sendRules, { companyId, id }));
    const areWaiting = and(matches(plannedSends, { companyId, ruleId: id }), isWaiting);
    await db(tx).update(plannedSends).set({ undoneAt: sql`now()` }).where(areWaiting);
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
