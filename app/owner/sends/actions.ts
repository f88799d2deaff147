'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { checkDraft, type DraftInput, draftShape, findTextProblems } from '#app/owner/sends/draft-input.ts';
import { done, Id, label, type Result, refused } from '#app/ui/forms/fields.ts';
import { managerAction, ownerAction } from '#app/ui/forms/guarded-action.ts';
import { setMustConfirmKinds } from '#server/companies/companies.ts';
import { kinds } from '#server/notifications/kinds.ts';
import type { Manager } from '#server/principals.ts';
import { correctNotification } from '#server/sends/history/correct.ts';
import { remind } from '#server/sends/history/remind.ts';
import { withdrawNotification } from '#server/sends/history/withdraw.ts';
import type { ManualDraft } from '#server/sends/manual/drafts.ts';
import { listPossibleRecipients } from '#server/sends/manual/possible-recipients.ts';
import { sendManually } from '#server/sends/manual/send-manually.ts';
import { addTemplate, changeTemplate, deleteTemplate, maxTemplateName } from '#server/sends/manual/templates.ts';
import {
  cancelPlanned,
  changePlanned,
  discardMissed,
  findWaiting,
  holdSend,
  planSend,
  sendPlannedNow,
  undoHeldSend,
  type WaitingSend,
} from '#server/sends/planned/planned-sends.ts';
import { recurrences } from '#server/sends/planned/recurrences.ts';
import { changeRule, endRule, makeRule } from '#server/sends/planned/send-rules.ts';

const No = z.int().positive().max(Number.MAX_SAFE_INTEGER);
const OneDraft = z.object({ draftId: z.uuid() });

const refreshSends = () => revalidatePath('/owner/sends', 'layout');
const refreshAll = () => revalidatePath('/owner', 'layout');

/** The number of a send, or how long a send to everyone still waits. */
type Submitted = { no: number } | { leavesInMs: number };

const limitOfSend = ({ to }: DraftInput) => (to === 'one' ? 'send' : 'broadcast');
const limitOfReminder = ({ employeeId }: { employeeId: number | null }) => (employeeId === null ? 'broadcast' : 'send');

/**
 * Sends a notification that a person wrote, once for each `draftId`: to one person at once, to
 * everyone, to roles or to several people after 10 s, in which it can be undone.
 */
export const sendDraftAction = managerAction.within(limitOfSend)(z.object(draftShape), async (manager, input) => {
  const checked = await checkDraft(manager, input);
  if ('problems' in checked) return checked;
  const { draft } = checked;
  if (draft.recipients.to !== 'one') return submitHeld(await holdSend(manager, draft));
  const sent = await sendManually(manager, draft);
  if (sent === 'not-in-company') return refused({ recipientId: 'gone' });
  refreshAll();
  return done<Submitted>({ no: sent.no });
});

function submitHeld(held: WaitingSend): Result<Submitted> {
  if (held.state === 'sent') return done<Submitted>({ no: held.no });
  return held.state === 'held' ? done<Submitted>({ leavesInMs: held.leavesInMs }) : refused({ form: 'undone' });
}

/** Undoes a send that waits. Returns what became of it: it may have left at this moment. */
export const undoHeldSendAction = managerAction.within(null)(OneDraft, async (manager, { draftId }) => {
  const held = await undoHeldSend(manager, draftId);
  return held ? done(held) : refused({ form: 'gone' });
});

export const findHeldSendAction = managerAction.within(null)(OneDraft, async (manager, { draftId }) => {
  const held = await findWaiting(manager, draftId);
  if (held?.state === 'sent') refreshAll();
  return held ? done(held) : refused({ form: 'gone' });
});

const templateProblems = {
  'name-taken': { name: 'nameTaken' },
  'not-in-company': { recipientId: 'gone' },
  'too-many': { form: 'tooMany' },
  gone: { form: 'templateGone' },
};

/** Keeps text and recipients under a name: as a new template, or in place of `template`. */
export const saveTemplateAction = managerAction.within('draft')(
  z.object({ ...draftShape, name: label(maxTemplateName), template: Id.nullable() }),
  async (manager, { name, template, ...input }) => {
    const checked = await checkDraft(manager, input);
    if ('problems' in checked) return checked;
    const { draft } = checked;
    const saved = await (template === null
      ? addTemplate(manager, name, draft)
      : changeTemplate(manager, template, name, draft));
    if (typeof saved === 'string' && saved !== 'changed') return refused(templateProblems[saved]);
    refreshSends();
    return done(null);
  },
);

export const deleteTemplateAction = managerAction(z.object({ template: Id }), async (manager, { template }) => {
  const deleted = await deleteTemplate(manager, template);
  refreshSends();
  return deleted === 'deleted' ? done(null) : refused({ form: 'templateGone' });
});

const Day = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/);
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const isDay = (day: string) => new Date(`${day}T00:00Z`).toISOString().startsWith(day);
// A day that no month has, such as 31 February, is refused before PostgreSQL would.
const RealDay = Day.refine(isDay);

const PlanInput = z.object({ ...draftShape, date: RealDay, time: Time });
const Schedule = z.object({
  every: z.enum(recurrences),
  weekdays: z.array(z.int().min(1).max(7)).max(7),
  monthDay: z.int().min(1).max(31),
  time: Time,
  startsOn: RealDay,
  endsOn: RealDay.nullable(),
});

const planProblems = {
  past: { time: 'past' },
  'too-far': { date: 'tooFar' },
  'not-in-company': { recipientId: 'gone' },
  'too-many': { form: 'tooManyPlans' },
  never: { form: 'never' },
  gone: { form: 'planGone' },
};

type Plan = (draft: ManualDraft) => Promise<keyof typeof planProblems | 'changed' | 'made-before' | object>;

// Checks the draft of a form, stores what `plan` makes of it, and refreshes the pages.
async function planDraft(manager: Manager, input: DraftInput, plan: Plan): Promise<Result<null>> {
  const checked = await checkDraft(manager, input);
  if ('problems' in checked) return checked;
  const planned = await plan(checked.draft);
  if (typeof planned === 'string' && planned !== 'changed' && planned !== 'made-before')
    return refused(planProblems[planned]);
  refreshAll();
  return done(null);
}

export const planSendAction = managerAction.within('draft')(PlanInput, (manager, { date, time, ...input }) =>
  planDraft(manager, input, (draft) => planSend(manager, draft, `${date}T${time}`)),
);

export const changePlanAction = managerAction.within('draft')(
  PlanInput.extend({ plan: z.uuid() }),
  (manager, { plan, date, time, ...input }) =>
    planDraft(manager, input, (draft) => changePlanned(manager, plan, draft, `${date}T${time}`)),
);

export const makeRuleAction = managerAction.within('draft')(
  z.object({ ...draftShape, schedule: Schedule }),
  async (manager, { schedule, ...input }) =>
    refuseNoWeekday(schedule) ?? planDraft(manager, input, (draft) => makeRule(manager, draft, schedule)),
);

/** Changes a rule, this send and all that follow. */
export const changeRuleAction = managerAction.within('draft')(
  z.object({ ...draftShape, rule: Id, schedule: Schedule }),
  async (manager, { rule, schedule, ...input }) =>
    refuseNoWeekday(schedule) ?? planDraft(manager, input, (draft) => changeRule(manager, rule, draft, schedule)),
);

const refuseNoWeekday = ({ every, weekdays }: z.output<typeof Schedule>) =>
  every === 'week' && weekdays.length === 0 ? refused({ weekdays: 'weekdayMissing' }) : null;

/** Cancels a planned send, discards a missed one, or skips the next one of a rule. */
export const cancelPlanAction = managerAction(OneDraft, async (manager, { draftId }) => {
  const cancelled = await cancelPlanned(manager, draftId);
  refreshAll();
  return cancelled === 'cancelled' ? done(null) : refused({ form: 'planGone' });
});

export const discardMissedAction = managerAction(z.object({ rule: Id }), async (manager, { rule }) => {
  await discardMissed(manager, rule);
  refreshAll();
  return done(null);
});

/** Sends a planned or missed send at once. Returns its number, or null while it is being sent. */
export const sendPlanNowAction = managerAction.within('broadcast')(OneDraft, async (manager, { draftId }) => {
  const waiting = await sendPlannedNow(manager, draftId);
  refreshAll();
  if (!waiting || waiting.state === 'undone') return refused({ form: 'planGone' });
  return done(waiting.state === 'sent' ? waiting.no : null);
});

export const endRuleAction = managerAction(z.object({ rule: Id }), async (manager, { rule }) => {
  const ended = await endRule(manager, rule);
  refreshAll();
  return ended === 'ended' ? done(null) : refused({ form: 'planGone' });
});

/** Lists the employees whose name, role or id matches the search. */
export const listPossibleRecipientsAction = managerAction.within(null)(
  z.object({ search: z.string().max(200) }),
  async (manager, { search }) =>
    done(await listPossibleRecipients(manager, search.replaceAll('\0', '').toWellFormed().trim())),
);

export const correctSendAction = managerAction.within('send')(
  z.object({ no: No, title: z.string(), body: z.string(), url: z.string() }),
  async (manager, { no, title, body, url }) => {
    const problems = findTextProblems({ title, body, url });
    if (Object.keys(problems).length > 0) return refused(problems);
    const corrected = await correctNotification(manager, no, { title, body, url: url === '' ? null : url });
    refreshSends();
    if (corrected === 'no-such-notification') return refused({ form: 'gone' });
    return corrected === 'too-late' ? refused({ form: 'tooLate' }) : done(null);
  },
);

export const withdrawSendAction = managerAction(z.object({ no: No }), async (manager, { no }) => {
  const withdrawn = await withdrawNotification(manager, no);
  refreshSends();
  return withdrawn === 'withdrawn' ? done(null) : refused({ form: 'gone' });
});

type ReminderOutcome = { reach: number } | { retryAt: string };

/**
 * Sends a reminder to one recipient who has not confirmed a send, or to all of them (null). Returns
 * how many it reached, or the time (ISO 8601) from which the next reminder is possible.
 */
export const sendReminderAction = managerAction.within(limitOfReminder)(
  z.object({ no: No, employeeId: Id.nullable() }),
  async (manager, { no, employeeId }) => {
    const reminded = await remind(manager, no, employeeId);
    refreshSends();
    if (reminded === 'no-such-notification') return refused({ form: 'gone' });
    if (reminded === 'nobody-left') return refused({ form: 'nobodyLeft' });
    if ('retryAt' in reminded) return done<ReminderOutcome>({ retryAt: reminded.retryAt.toISOString() });
    return done<ReminderOutcome>({ reach: reminded.reach });
  },
);

export const setMustConfirmKindsAction = ownerAction(
  z.object({ kinds: z.array(z.enum(kinds)).max(kinds.length) }),
  async (owner, chosen) => {
    await setMustConfirmKinds(owner, chosen.kinds);
    refreshSends();
    return done(null);
  },
);
