'use server';

import { z } from 'zod';
import { checkDraft, type DraftInput, draftShape, findMessageProblems } from '#app/owner/sends/draft-input.ts';
import { done, doneIf, type FormRefusal, Id, label, refused } from '#app/ui/forms/fields.ts';
import { managerAction, ownerAction } from '#app/ui/forms/guarded-action.ts';
import { setMustConfirmKinds } from '#server/companies/companies.ts';
import { type Kind, kinds } from '#server/notifications/kinds.ts';
import type { Manager } from '#server/principals.ts';
import type { ManualDraft } from '#server/sends/drafts.ts';
import { closeQuestion, correctNotification, withdrawNotification } from '#server/sends/history/changes.ts';
import { listPossibleRecipients } from '#server/sends/manual/possible-recipients.ts';
import { type NotReminded, remind, sendManually } from '#server/sends/manual/send-manually.ts';
import { deleteTemplate, maxTemplateName, saveTemplate } from '#server/sends/manual/templates.ts';
import {
  cancelPlanned,
  changePlanned,
  holdReminder,
  holdSend,
  planSend,
  sendPlannedNow,
  undoHeldSend,
} from '#server/sends/planned/planned-sends.ts';
import { recurrences } from '#server/sends/planned/recurrences.ts';
import { changeRule, endRule, makeRule } from '#server/sends/planned/send-rules.ts';

const No = z.int().positive().max(Number.MAX_SAFE_INTEGER);
const OneDraft = z.object({ draftId: z.uuid() });

const limitOfSend = ({ to }: DraftInput) => (to === 'one' ? 'send' : 'broadcast');

/**
 * Sends a message once for each `draftId`: to one person at once, to more after 13 s, of which 10 s can undo it. Returns
 * the number of a send that has left; null while it can be undone.
 */
export const sendMessageAction = managerAction.within(limitOfSend)(z.object(draftShape), async (manager, input) => {
  const draft = await checkDraft(manager, input);
  if ('problems' in draft) return draft;
  const outcome = await (draft.recipients.to === 'one' ? sendManually(manager, draft) : holdSend(manager, draft));
  if (outcome === 'waits') return refused({ form: 'failed' });
  if (outcome === 'not-in-company') return refused({ recipientId: 'gone' });
  if ('state' in outcome && outcome.state === 'undone') return refused({ form: 'undone' });
  return done({ no: 'no' in outcome ? outcome.no : null });
});

/** Undoes a send that waits. Returns what became of it: it may have left at this moment. */
export const undoHeldSendAction = managerAction.within(null)(OneDraft, async (manager, { draftId }) => {
  const held = await undoHeldSend(manager, draftId);
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
    const draft = await checkDraft(manager, input);
    if ('problems' in draft) return draft;
    const saved = await saveTemplate(manager, template, name, draft);
    return typeof saved === 'string' ? refused(templateProblems[saved]) : done(null);
  },
);

export const deleteTemplateAction = managerAction(z.object({ template: Id }), async (manager, { template }) =>
  doneIf((await deleteTemplate(manager, template)) === 'deleted', 'templateGone'),
);

// Refuses a day that no month has, such as 31 February.
const Day = z.iso.date().startsWith('20');
const Time = z.iso.time({ precision: -1 });

const Schedule = z.object({
  every: z.enum(recurrences),
  weekdays: z.array(z.int().min(1).max(7)).max(7),
  monthDay: z.int().min(1).max(31),
  time: Time,
  startsOn: Day,
  endsOn: Day.nullable(),
});

const planProblems = {
  past: { time: 'past' },
  'too-far': { date: 'tooFar' },
  'not-in-company': { recipientId: 'gone' },
  'too-many': { form: 'tooManyPlans' },
  never: { form: 'never' },
  gone: { form: 'planGone' },
};

const Planning = z.union([
  z.object({ date: Day, time: Time, plan: z.uuid().nullable() }),
  z.object({ schedule: Schedule, rule: Id.nullable() }),
]);

/** Plans a message or makes a rule that repeats it; changes the `plan`, or the `rule` from its next send on. */
export const planMessageAction = managerAction.within('draft')(
  z.object({ ...draftShape, planning: Planning }),
  async (manager, { planning, ...input }) => {
    if ('schedule' in planning && planning.schedule.every === 'week' && planning.schedule.weekdays.length === 0)
      return refused({ weekdays: 'weekdayMissing' });
    const draft = await checkDraft(manager, input);
    if ('problems' in draft) return draft;
    const planned = await storePlan(manager, draft, planning);
    const isPlanned = typeof planned !== 'string' || planned === 'changed' || planned === 'made-before';
    return isPlanned ? done(null) : refused(planProblems[planned]);
  },
);

function storePlan(manager: Manager, draft: ManualDraft, planning: z.output<typeof Planning>) {
  if ('schedule' in planning) {
    const { rule, schedule } = planning;
    return rule === null ? makeRule(manager, draft, schedule) : changeRule(manager, rule, draft, schedule);
  }
  const { plan } = planning;
  const time = `${planning.date}T${planning.time}`;
  return plan === null ? planSend(manager, draft, time) : changePlanned(manager, plan, draft, time);
}

/** Cancels a planned send, discards a missed one, or skips the next one of a rule. */
export const cancelPlanAction = managerAction(OneDraft, async (manager, { draftId }) =>
  doneIf((await cancelPlanned(manager, draftId)) === 'cancelled', 'planGone'),
);

/** Sends a planned or missed send at once. Returns its number, or null while it is being sent. */
export const sendPlanNowAction = managerAction.within('broadcast')(OneDraft, async (manager, { draftId }) => {
  const waiting = await sendPlannedNow(manager, draftId);
  if (!waiting || waiting.state === 'undone') return refused({ form: 'planGone' });
  return done(waiting.state === 'sent' ? waiting.no : null);
});

export const endRuleAction = managerAction(z.object({ rule: Id }), async (manager, { rule }) =>
  doneIf((await endRule(manager, rule)) === 'ended', 'planGone'),
);

/** Lists the employees whose name, role or id matches the search. */
export const listPossibleRecipientsAction = managerAction.within(null)(
  z.object({ search: z.string().max(200) }),
  async (manager, { search }) =>
    done(await listPossibleRecipients(manager, search.replaceAll('\0', '').toWellFormed().trim())),
);

export const correctSendAction = managerAction.within('send')(
  z.object({ no: No, title: z.string(), body: z.string(), url: z.string() }),
  async (manager, { no, title, body, url }) => {
    const problems = await findMessageProblems(manager, { title, body, url });
    if (Object.keys(problems).length > 0) return refused(problems);
    const corrected = await correctNotification(manager, no, { title, body, url: url === '' ? null : url });
    if (corrected === 'no-such-notification') return refused({ form: 'gone' });
    return corrected === 'too-late' ? refused({ form: 'tooLate' }) : done(null);
  },
);

export const withdrawSendAction = managerAction(z.object({ no: No }), async (manager, { no }) =>
  doneIf((await withdrawNotification(manager, no)) === 'withdrawn', 'gone'),
);

export const closeQuestionAction = managerAction(z.object({ no: No }), async (manager, { no }) =>
  doneIf((await closeQuestion(manager, no)) === 'closed', 'gone'),
);

const refuseReminder = (reason: NotReminded): FormRefusal => {
  if (reason === 'no-such-notification') return refused({ form: 'gone' });
  return refused({ form: reason === 'nobody-left' ? 'nobodyLeft' : 'tooSoon' });
};

/** Sends a reminder to one recipient who has not confirmed a send. Returns how many it reached. */
export const remindOneAction = managerAction.within('send')(
  z.object({ no: No, employeeId: Id }),
  async (manager, { no, employeeId }) => {
    const reminded = await remind(manager, no, employeeId);
    return typeof reminded === 'object' && 'no' in reminded ? done(reminded.reach) : refuseReminder(reminded);
  },
);

/** Sends a reminder to all who have not confirmed a send, after 13 s, of which 10 s can undo it. */
export const remindAllAction = managerAction.within('broadcast')(
  z.object({ no: No, draftId: z.uuid() }),
  async (manager, { no, draftId }) => {
    const held = await holdReminder(manager, no, draftId);
    return typeof held === 'object' && 'state' in held ? done(null) : refuseReminder(held);
  },
);

/** Takes the checked kinds by their names. */
export const chooseMustConfirmKindsAction = ownerAction(
  z.partialRecord(z.enum(kinds), z.literal('on')),
  async (owner, checked) => done(await setMustConfirmKinds(owner, Object.keys(checked) as Kind[])),
);
