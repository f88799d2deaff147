import { randomUUID } from 'node:crypto';
import { db, matches } from '#db/client.ts';
import { and, sql } from '#db/drizzle.cjs';
import { asManager, type PersonTransaction } from '#db/person-transaction.ts';
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

async function hasTime(tx: PersonTransaction, manager: Manager, schedule: Schedule): Promise<boolean> {
  const { every, weekdays, monthDay, minute, timeZone, startsOn, endsOn } = scheduleValues(manager, schedule);
  const [next] = await db(tx).execute<{ leavesAt: Date | null }>(sql`
    select ${nextTime(sql`now()`)} as "leavesAt" from (
      select ${every}::text as every, ${sql.param(weekdays)}::int[] as weekdays, ${monthDay}::int as month_day,
        ${minute} as minute, ${timeZone}::text as time_zone, ${startsOn}::text::date as starts_on,
        ${endsOn}::text::date as ends_on) r`);
  return next?.leavesAt != null;
}

/** Makes a rule and plans its first send, with the draft's id: a second submit makes none. Returns when it leaves. */
export async function makeRule(
  manager: Manager,
  { draftId, ...content }: ManualDraft,
  schedule: Schedule,
): Promise<{ leavesAt: Date } | 'made-before' | RuleProblem> {
  const { companyId, accountId } = manager;
  return asManager(manager, async (tx) => {
    // Two submits of one draft: the second one waits for the company's row, and then finds the first.
    if ((await isQueued(tx, manager, draftId)) || (await isSent(tx, manager, draftId))) return 'made-before';
    const areRunning = matches(sendRules, { companyId, endedAt: null });
    if ((await db(tx).$count(sendRules, areRunning)) >= maxRules) return 'too-many';
    if (!(await areInCompany(tx, manager, content))) return 'not-in-company';
    if (!(await hasTime(tx, manager, schedule))) return 'never';
    const pictureId = await keepPicture(tx, manager, content);
    const [rule] = await db(tx)
      .insert(sendRules)
      .values({ companyId, accountId, ...draftValues(content), ...scheduleValues(manager, schedule), pictureId })
      .returning({ id: sendRules.id });
    const leavesAt = rule && (await insertNext(tx, companyId, rule.id, null, draftId));
    if (!leavesAt) throw new Error('the rule has no next time');
    await recordAudit(tx, manager, 'rule.create', { ...asDetails(content, leavesAt), ...describeSchedule(schedule) });
    return { leavesAt };
  });
}

// Stores a copy of the picture under an id of the rule.
async function keepPicture(tx: PersonTransaction, manager: Manager, { picture }: DraftContent): Promise<string | null> {
  if (!picture) return null;
  const id = randomUUID();
  await attachPicture(tx, manager, id, picture);
  return id;
}

/** Changes a rule, this and all following; the manager becomes its sender. Returns when the next one leaves. */
export async function changeRule(
  manager: Manager,
  id: number,
  content: DraftContent,
  schedule: Schedule,
): Promise<{ leavesAt: Date } | 'gone' | RuleProblem> {
  const { companyId, accountId } = manager;
  return asManager(manager, async (tx) => {
    const title = await lockRule(tx, manager, id);
    if (title === null) return 'gone';
    if (!(await areInCompany(tx, manager, content))) return 'not-in-company';
    if (!(await hasTime(tx, manager, schedule))) return 'never';
    const pictureId = await keepPicture(tx, manager, content);
    await db(tx)
      .update(sendRules)
      .set({ accountId, ...draftValues(content), ...scheduleValues(manager, schedule), pictureId })
      .where(matches(sendRules, { companyId, id }));
    await db(tx)
      .delete(plannedSends)
      .where(and(matches(plannedSends, { companyId, ruleId: id }), isWaiting));
    const leavesAt = await insertNext(tx, companyId, id, null);
    if (!leavesAt) throw new Error('the rule has no next time');
    const details = { ...asDetails(content, leavesAt), ...describeSchedule(schedule), was: { title } };
    await recordAudit(tx, manager, 'rule.edit', details);
    return { leavesAt };
  });
}

/** Ends a rule: what it planned does not leave. Returns `'gone'` when it has ended already. */
export async function endRule(manager: Manager, id: number): Promise<'ended' | 'gone'> {
  const { companyId } = manager;
  return asManager(manager, async (tx) => {
    const title = await lockRule(tx, manager, id);
    if (title === null) return 'gone';
    await db(tx).update(sendRules).set({ endedAt: sql`now()` }).where(matches(sendRules, { companyId, id }));
    await db(tx)
      .update(plannedSends)
      .set({ undoneAt: sql`now()` })
      .where(and(matches(plannedSends, { companyId, ruleId: id }), isWaiting));
    await recordAudit(tx, manager, 'rule.end', { title });
    return 'ended';
  });
}

// Locks a running rule and returns its title, or null when there is none.
async function lockRule(tx: PersonTransaction, manager: Manager, id: number): Promise<string | null> {
  const isRunning = matches(sendRules, { companyId: manager.companyId, id, endedAt: null });
  const [rule] = await db(tx).select({ title: sendRules.title }).from(sendRules).where(isRunning).for('update');
  return rule?.title ?? null;
}

const describeSchedule = (schedule: Schedule) => ({
  ...schedule,
  weekdays: schedule.every === 'week' ? schedule.weekdays : undefined,
  monthDay: schedule.every === 'month' ? schedule.monthDay : undefined,
});
