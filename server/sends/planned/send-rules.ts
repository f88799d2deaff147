import { randomUUID } from 'node:crypto';
import { sql } from '#db/client.ts';
import { asManager, type PersonTransaction } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Manager } from '#server/principals.ts';
import {
  areInCompany,
  asDetails,
  type DraftContent,
  draftColumns,
  draftValues,
  type ManualDraft,
} from '#server/sends/manual/drafts.ts';
import { attachPicture } from '#server/sends/pictures/pictures.ts';
import type { Recurrence } from '#server/sends/planned/recurrences.ts';
import { insertNext, nextTime } from '#server/sends/planned/rule-sends.ts';

export const maxRules = 50;

/**
 * When a rule sends. `time` is the time of day (`08:00`), `startsOn` and `endsOn` are dates, all in
 * the company's time zone. `weekdays` (1: Monday, 7: Sunday) belongs to `week`, `monthDay` (31: the
 * last day) to `month`.
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

const scheduleColumns = () => sql()`every, weekdays, month_day, minute, time_zone, starts_on, ends_on`;

const scheduleValues = (
  { timeZone }: Manager,
  { every, weekdays, monthDay, time, startsOn, endsOn }: Schedule,
) => sql()`
  ${every}::text, ${every === 'week' ? weekdays : null}::int[], ${every === 'month' ? monthDay : null}::int,
  (extract(epoch from ${time}::text::time) / 60)::int, ${timeZone}::text, ${startsOn}::text::date,
  ${endsOn}::text::date`;

async function hasTime(tx: PersonTransaction, manager: Manager, schedule: Schedule): Promise<boolean> {
  const [next] = await tx<{ leavesAt: Date | null }[]>`
    select ${nextTime(sql()`now()`)} as "leavesAt" from (select ${scheduleValues(manager, schedule)}) as r (${scheduleColumns()})`;
  return next?.leavesAt != null;
}

/**
 * Makes a rule and plans its first send, which gets the draft's id: a second submit makes no second
 * rule. Returns when the first one leaves.
 */
export async function makeRule(
  manager: Manager,
  { draftId, ...content }: ManualDraft,
  schedule: Schedule,
): Promise<{ leavesAt: Date } | 'made-before' | RuleProblem> {
  const { companyId, accountId } = manager;
  return asManager(manager, async (tx) => {
    // Two submits of one draft: the second one waits for the company's row, and then finds the first.
    const [state] = await tx<{ isMade: boolean; running: number }[]>`
      select exists (select from planned_sends where company_id = ${companyId} and draft_id = ${draftId}::uuid)
          or exists (select from notifications where company_id = ${companyId} and draft_id = ${draftId}::uuid) as "isMade",
        (select count(*)::int from send_rules where company_id = ${companyId} and ended_at is null) as running`;
    if (state?.isMade) return 'made-before';
    if ((state?.running ?? 0) >= maxRules) return 'too-many';
    if (!(await areInCompany(tx, manager, content))) return 'not-in-company';
    if (!(await hasTime(tx, manager, schedule))) return 'never';
    const [rule] = await tx<{ id: number }[]>`
      insert into send_rules (company_id, account_id, ${draftColumns()}, ${scheduleColumns()}, picture_id)
      select ${companyId}, ${accountId}, ${draftValues(content)}, ${scheduleValues(manager, schedule)},
        ${await keepPicture(tx, manager, content)}::uuid
      returning id`;
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

/**
 * Changes a rule, this and all following: text, recipients and times. The manager becomes its
 * sender. Returns when the next one leaves, or `'gone'` when the rule has ended or never was.
 */
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
    await tx`
      update send_rules set account_id = ${accountId}, (${draftColumns()}) = row(${draftValues(content)}),
        (${scheduleColumns()}) = row(${scheduleValues(manager, schedule)}),
        picture_id = ${await keepPicture(tx, manager, content)}::uuid
      where company_id = ${companyId} and id = ${id}`;
    await tx`delete from planned_sends where company_id = ${companyId} and ${waitsFor(id)}`;
    const leavesAt = await insertNext(tx, companyId, id, null);
    if (!leavesAt) throw new Error('the rule has no next time');
    const details = { ...asDetails(content, leavesAt), ...describeSchedule(schedule), was: { title } };
    await recordAudit(tx, manager, 'rule.edit', details);
    return { leavesAt };
  });
}

/** Ends a rule: what it planned does not leave. Returns `'gone'` when it has ended already. */
export async function endRule(manager: Manager, id: number): Promise<'ended' | 'gone'> {
  return asManager(manager, async (tx) => {
    const title = await lockRule(tx, manager, id);
    if (title === null) return 'gone';
    await tx`update send_rules set ended_at = now() where company_id = ${manager.companyId} and id = ${id}`;
    await tx`update planned_sends set undone_at = now() where company_id = ${manager.companyId} and ${waitsFor(id)}`;
    await recordAudit(tx, manager, 'rule.end', { title });
    return 'ended';
  });
}

// Locks a running rule and returns its title, or null when there is none.
async function lockRule(tx: PersonTransaction, manager: Manager, id: number): Promise<string | null> {
  const [rule] = await tx<Pick<Rows['sendRules'], 'title'>[]>`
    select title from send_rules where company_id = ${manager.companyId} and id = ${id} and ended_at is null for update`;
  return rule?.title ?? null;
}

const waitsFor = (ruleId: number) => sql()`rule_id = ${ruleId} and undone_at is null and missed_at is null`;

const describeSchedule = (schedule: Schedule) => ({
  ...schedule,
  weekdays: schedule.every === 'week' ? schedule.weekdays : undefined,
  monthDay: schedule.every === 'month' ? schedule.monthDay : undefined,
});
