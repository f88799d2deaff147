'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { checkDraft, draftShape } from '#app/owner/sends/draft-input.ts';
import { done, Id, label, type Result, refused } from '#app/ui/forms/fields.ts';
import { managerAction } from '#app/ui/forms/guarded-action.ts';
import { sendManually } from '#server/sends/manual/send-manually.ts';
import { addTemplate, changeTemplate, deleteTemplate, maxTemplateName } from '#server/sends/manual/templates.ts';
import { findWaiting, holdSend, undoHeldSend, type WaitingSend } from '#server/sends/planned/planned-sends.ts';

/** The number of a send, or how long a send to everyone still waits. */
type Submitted = { no: number } | { leavesInMs: number };

/**
 * Sends a notification that a person wrote, once for each `draftId`: to one person at once, to
 * everyone, to roles or to several people after 10 s, in which it can be undone.
 */
export const sendDraftAction = managerAction(z.object(draftShape), async (manager, input) => {
  const checked = await checkDraft(manager, input);
  if ('problems' in checked) return checked;
  const { draft } = checked;
  // Everyone, roles or several people.
  if (draft.recipients.to !== 'one') return submitHeld(await holdSend(manager, draft));
  const sent = await sendManually(manager, draft);
  if (sent === 'not-in-company') return refused({ recipientId: 'gone' });
  if (sent === 'revoked') return refused({ form: 'session-ended' });
  revalidatePath('/owner', 'layout');
  return done<Submitted>({ no: sent.no });
});

function submitHeld(held: WaitingSend): Result<Submitted> {
  if (held.state === 'sent') return done<Submitted>({ no: held.no });
  return held.state === 'held' ? done<Submitted>({ leavesInMs: held.leavesInMs }) : refused({ form: 'undone' });
}

const HeldInput = z.object({ draftId: z.uuid() });

/** Undoes a send that waits. Returns what became of it: it may have left at this moment. */
export const undoHeldSendAction = managerAction(HeldInput, async (manager, { draftId }) => {
  const held = await undoHeldSend(manager, draftId);
  return held ? done(held) : refused({ form: 'gone' });
});

/** Returns what became of a send that waits. */
export const findHeldSendAction = managerAction(HeldInput, async (manager, { draftId }) => {
  const held = await findWaiting(manager, draftId);
  if (held?.state === 'sent') revalidatePath('/owner', 'layout');
  return held ? done(held) : refused({ form: 'gone' });
});

const problemFields = {
  'name-taken': { name: 'nameTaken' },
  'not-in-company': { recipientId: 'gone' },
  'too-many': { form: 'tooMany' },
  gone: { form: 'templateGone' },
};

/** Keeps text and recipients under a name: as a new template, or in place of `template`. */
export const saveTemplateAction = managerAction(
  z.object({ ...draftShape, name: label(maxTemplateName), template: Id.nullable() }),
  async (manager, { name, template, ...input }) => {
    const checked = await checkDraft(manager, input);
    if ('problems' in checked) return checked;
    const { draft } = checked;
    const saved = await (template === null
      ? addTemplate(manager, name, draft)
      : changeTemplate(manager, template, name, draft));
    if (typeof saved === 'string' && saved !== 'changed') return refused(problemFields[saved]);
    revalidatePath('/owner/sends', 'layout');
    return done(null);
  },
);

export const deleteTemplateAction = managerAction(z.object({ template: Id }), async (manager, { template }) => {
  const deleted = await deleteTemplate(manager, template);
  revalidatePath('/owner/sends', 'layout');
  return deleted === 'deleted' ? done(null) : refused({ form: 'templateGone' });
});
