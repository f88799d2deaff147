'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { done, Id, type Result, refused } from '#app/ui/forms/fields.ts';
import { managerAction } from '#app/ui/forms/guarded-action.ts';
import { findBodyProblem, findLinkProblem, findTitleProblem } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';
import { findHeldSend, holdSend, undoHeldSend, type WaitingSend } from '#server/sends/planned-sends.ts';
import { findPossibleRecipient } from '#server/sends/possible-recipients.ts';
import { sendByHand } from '#server/sends/send.ts';

const DraftInput = z.object({
  draftId: z.uuid(),
  to: z.enum(['everyone', 'one']),
  recipientId: Id.nullable(),
  kind: z.enum(kinds),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  mustConfirm: z.boolean(),
});
type DraftInput = z.output<typeof DraftInput>;

const textProblems = {
  title: { blank: 'titleBlank', too_long: 'titleLong', forbidden_character: 'forbidden' },
  body: { blank: 'bodyBlank', too_long: 'bodyLong', forbidden_character: 'forbidden' },
} as const;
const linkProblems = { too_long: 'linkLong', not_internal: 'linkInternal', forbidden_character: 'forbidden' } as const;

function findDraftProblems({ to, recipientId, title, body, url }: DraftInput): Record<string, string> {
  const titleProblem = findTitleProblem(title);
  const bodyProblem = findBodyProblem(body);
  const linkProblem = url === '' ? null : findLinkProblem(url);
  return {
    ...(to === 'one' && recipientId === null && { recipientId: 'personMissing' }),
    ...(titleProblem && { title: textProblems.title[titleProblem.code] }),
    ...(bodyProblem && { body: textProblems.body[bodyProblem.code] }),
    ...(linkProblem && { url: linkProblems[linkProblem.code] }),
  };
}

/** The number of a send, or how long a send to everyone still waits. */
type Submitted = { no: number } | { leavesInMs: number };

/**
 * Sends a notification that the owner wrote, once for each `draftId`: to one person at once, to
 * everyone after 10 s, in which it can be undone.
 */
export const sendByHandAction = managerAction(DraftInput, async (manager, { to, ...draft }) => {
  const problems = findDraftProblems({ to, ...draft });
  if (Object.keys(problems).length > 0) return refused(problems);
  const { recipientId: chosen, url: link, ...rest } = draft;
  // Id 0 means everyone. A missing choice must not mean everyone.
  const recipientId = to === 'everyone' ? 0 : (chosen ?? -1);
  if (recipientId !== 0 && !(await findPossibleRecipient(manager, recipientId)))
    return refused({ recipientId: 'gone' });
  const written = { ...rest, recipientId, toRoles: null, toPeople: null, url: link === '' ? null : link };
  if (recipientId === 0) return submitHeld(await holdSend(manager, written));
  const sent = await sendByHand(manager, written);
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
  const held = await findHeldSend(manager, draftId);
  if (held?.state === 'sent') revalidatePath('/owner', 'layout');
  return held ? done(held) : refused({ form: 'gone' });
});
