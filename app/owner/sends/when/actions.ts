'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { checkDraft, draftShape } from '#app/owner/sends/draft-input.ts';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { managerAction } from '#app/ui/forms/guarded-action.ts';
import { cancelPlanned, changePlanned, discardMissed, sendPlannedNow } from '#server/sends/planned-changes.ts';
import { planSend } from '#server/sends/planned-sends.ts';
import { rhythms } from '#server/sends/rhythms.ts';
import { changeRule, endRule, makeRule } from '#server/sends/send-rules.ts';

const Day = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/);
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const isDay = (day: string) => new Date(`${day}T00:00Z`).toISOString().startsWith(day);
// A day that no month has, such as 31 February, is refused before PostgreSQL would.
const RealDay = Day.refine(isDay);

const momentShape = { date: RealDay, time: Time };
const scheduleShape = {
  every: z.enum(rhythms),
  weekdays: z.array(z.int().min(1).max(7)).max(7),
  monthDay: z.int().min(1).max(31),
  time: Time,
  startsOn: RealDay,
  endsOn: RealDay.nullable(),
};

const problemFields = {
  past: { time: 'past' },
  'too-far': { date: 'tooFar' },
  'not-in-company': { recipientId: 'gone' },
  'too-many': { form: 'tooManyPlans' },
  never: { form: 'never' },
  gone: { form: 'planGone' },
};

const refresh = () => revalidatePath('/owner', 'layout');

/** Plans a send for a date and time in the company's zone. */
export const planSendAction = managerAction(
  z.object({ ...draftShape, ...momentShape }),
  async (manager, { date, time, ...input }) => {
    const checked = await checkDraft(manager, input);
    if ('problems' in checked) return checked;
    const planned = await planSend(manager, checked.draft, `${date}T${time}`);
    if (typeof planned === 'string') return refused(problemFields[planned]);
    refresh();
    return done(null);
  },
);

/** Changes text, recipients and time of a planned send. */
export const changePlanAction = managerAction(
  z.object({ ...draftShape, ...momentShape, plan: z.uuid() }),
  async (manager, { plan, date, time, ...input }) => {
    const checked = await checkDraft(manager, input);
    if ('problems' in checked) return checked;
    const changed = await changePlanned(manager, plan, checked.draft, `${date}T${time}`);
    if (changed !== 'changed') return refused(problemFields[changed]);
    refresh();
    return done(null);
  },
);

/** Makes a rule that sends again and again. */
export const makeRuleAction = managerAction(
  z.object({ ...draftShape, schedule: z.object(scheduleShape) }),
  async (manager, { schedule, ...input }) => {
    if (schedule.every === 'week' && schedule.weekdays.length === 0) return refused({ weekdays: 'weekdayMissing' });
    const checked = await checkDraft(manager, input);
    if ('problems' in checked) return checked;
    const made = await makeRule(manager, checked.draft, schedule);
    if (typeof made === 'string' && made !== 'made-before') return refused(problemFields[made]);
    refresh();
    return done(null);
  },
);

/** Changes a rule, this send and all that follow. */
export const changeRuleAction = managerAction(
  z.object({ ...draftShape, rule: Id, schedule: z.object(scheduleShape) }),
  async (manager, { rule, schedule, ...input }) => {
    if (schedule.every === 'week' && schedule.weekdays.length === 0) return refused({ weekdays: 'weekdayMissing' });
    const checked = await checkDraft(manager, input);
    if ('problems' in checked) return checked;
    const changed = await changeRule(manager, rule, checked.draft, schedule);
    if (typeof changed === 'string') return refused(problemFields[changed]);
    refresh();
    return done(null);
  },
);

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
