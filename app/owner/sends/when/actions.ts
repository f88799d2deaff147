'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { checkDraft, type DraftInput, draftShape } from '#app/owner/sends/draft-input.ts';
import { done, Id, type Result, refused } from '#app/ui/forms/fields.ts';
import { managerAction } from '#app/ui/forms/guarded-action.ts';
import type { Manager } from '#server/principals.ts';
import type { ManualDraft } from '#server/sends/manual/drafts.ts';
import { cancelPlanned, changePlanned, discardMissed, sendPlannedNow } from '#server/sends/planned/planned-changes.ts';
import { planSend } from '#server/sends/planned/planned-sends.ts';
import { recurrences } from '#server/sends/planned/recurrences.ts';
import { changeRule, endRule, makeRule } from '#server/sends/planned/send-rules.ts';

const Day = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/);
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const isDay = (day: string) => new Date(`${day}T00:00Z`).toISOString().startsWith(day);
// A day that no month has, such as 31 February, is refused before PostgreSQL would.
const RealDay = Day.refine(isDay);

const timestampShape = { date: RealDay, time: Time };
const Schedule = z.object({
  every: z.enum(recurrences),
  weekdays: z.array(z.int().min(1).max(7)).max(7),
  monthDay: z.int().min(1).max(31),
  time: Time,
  startsOn: RealDay,
  endsOn: RealDay.nullable(),
});

const problemFields = {
  past: { time: 'past' },
  'too-far': { date: 'tooFar' },
  'not-in-company': { recipientId: 'gone' },
  'too-many': { form: 'tooManyPlans' },
  never: { form: 'never' },
  gone: { form: 'planGone' },
};

const refresh = () => revalidatePath('/owner', 'layout');

type Planned = keyof typeof problemFields | 'changed' | 'made-before' | object;

// Checks the draft of a form, stores what `plan` makes of it, and refreshes the pages.
async function planDraft(
  manager: Manager,
  input: DraftInput,
  plan: (draft: ManualDraft) => Promise<Planned>,
): Promise<Result<null>> {
  const checked = await checkDraft(manager, input);
  if ('problems' in checked) return checked;
  const planned = await plan(checked.draft);
  if (typeof planned === 'string' && planned !== 'changed' && planned !== 'made-before')
    return refused(problemFields[planned]);
  refresh();
  return done(null);
}

/** Plans a send for a date and time in the company's zone. */
export const planSendAction = managerAction(
  z.object({ ...draftShape, ...timestampShape }),
  (manager, { date, time, ...input }) =>
    planDraft(manager, input, (draft) => planSend(manager, draft, `${date}T${time}`)),
);

/** Changes text, recipients and time of a planned send. */
export const changePlanAction = managerAction(
  z.object({ ...draftShape, ...timestampShape, plan: z.uuid() }),
  (manager, { plan, date, time, ...input }) =>
    planDraft(manager, input, (draft) => changePlanned(manager, plan, draft, `${date}T${time}`)),
);

/** Makes a rule that sends again and again. */
export const makeRuleAction = managerAction(
  z.object({ ...draftShape, schedule: Schedule }),
  async (manager, { schedule, ...input }) =>
    refuseNoWeekday(schedule) ?? planDraft(manager, input, (draft) => makeRule(manager, draft, schedule)),
);

/** Changes a rule, this send and all that follow. */
export const changeRuleAction = managerAction(
  z.object({ ...draftShape, rule: Id, schedule: Schedule }),
  async (manager, { rule, schedule, ...input }) =>
    refuseNoWeekday(schedule) ?? planDraft(manager, input, (draft) => changeRule(manager, rule, draft, schedule)),
);

const refuseNoWeekday = ({ every, weekdays }: z.output<typeof Schedule>) =>
  every === 'week' && weekdays.length === 0 ? refused({ weekdays: 'weekdayMissing' }) : null;

const OnePlan = z.object({ draftId: z.uuid() });

/** Cancels a planned send, discards a missed one, or skips the next one of a rule. */
export const cancelPlanAction = managerAction(OnePlan, async (manager, { draftId }) => {
  const cancelled = await cancelPlanned(manager, draftId);
  refresh();
  return cancelled === 'cancelled' ? done(null) : refused({ form: 'planGone' });
});

/** Discards all missed sends of a rule. */
export const discardMissedAction = managerAction(z.object({ rule: Id }), async (manager, { rule }) => {
  await discardMissed(manager, rule);
  refresh();
  return done(null);
});

/** Sends a planned or missed send at once. Returns its number, or null while it is being sent. */
export const sendPlanNowAction = managerAction(OnePlan, async (manager, { draftId }) => {
  const waiting = await sendPlannedNow(manager, draftId);
  refresh();
  if (!waiting || waiting.state === 'undone') return refused({ form: 'planGone' });
  return done(waiting.state === 'sent' ? waiting.no : null);
});

/** Ends a rule: it sends no more. */
export const endRuleAction = managerAction(z.object({ rule: Id }), async (manager, { rule }) => {
  const ended = await endRule(manager, rule);
  refresh();
  return ended === 'ended' ? done(null) : refused({ form: 'planGone' });
});
