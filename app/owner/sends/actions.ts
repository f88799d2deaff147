'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { findTextProblems } from '#app/owner/sends/draft-input.ts';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { managerAction, ownerAction } from '#app/ui/forms/guarded-action.ts';
import { setMustConfirmKinds } from '#server/companies/rules.ts';
import { kinds } from '#server/notifications/kinds.ts';
import { correctNotification } from '#server/sends/history/correct.ts';
import { remind } from '#server/sends/history/remind.ts';
import { withdrawNotification } from '#server/sends/history/withdraw.ts';
import { listPossibleRecipients } from '#server/sends/manual/possible-recipients.ts';

const No = z.int().positive().max(Number.MAX_SAFE_INTEGER);

/** Lists the employees whose name, role or id matches the search. */
export const listPossibleRecipientsAction = managerAction(
  z.object({ search: z.string().max(200) }),
  async (manager, { search }) =>
    done(await listPossibleRecipients(manager, search.replaceAll('\0', '').toWellFormed().trim())),
);

export const correctSendAction = managerAction(
  z.object({ no: No, title: z.string(), body: z.string(), url: z.string() }),
  async (manager, { no, title, body, url }) => {
    const problems = findTextProblems({ title, body, url });
    if (Object.keys(problems).length > 0) return refused(problems);
    const corrected = await correctNotification(manager, no, { title, body, url: url === '' ? null : url });
    revalidatePath('/owner/sends', 'layout');
    if (corrected === 'no-such-notification') return refused({ form: 'gone' });
    return corrected === 'too-late' ? refused({ form: 'tooLate' }) : done(null);
  },
);

/** Withdraws a send from all inboxes. */
export const withdrawSendAction = managerAction(z.object({ no: No }), async (manager, { no }) => {
  const withdrawn = await withdrawNotification(manager, no);
  revalidatePath('/owner/sends', 'layout');
  return withdrawn === 'withdrawn' ? done(null) : refused({ form: 'gone' });
});

type ReminderOutcome = { reach: number } | { retryAt: string };

/**
 * Sends a reminder to one recipient who has not confirmed a send, or to all of them (null). Returns
 * how many it reached, or the time (ISO 8601) from which the next reminder is possible.
 */
export const sendReminderAction = managerAction(
  z.object({ no: No, employeeId: Id.nullable() }),
  async (manager, { no, employeeId }) => {
    const reminded = await remind(manager, no, employeeId);
    revalidatePath('/owner/sends', 'layout');
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
    revalidatePath('/owner/sends', 'layout');
    return done(null);
  },
);
