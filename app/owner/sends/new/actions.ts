'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { done, Id, refused } from '#app/ui/forms/fields.ts';
import { ownerAction } from '#app/ui/forms/guarded-action.ts';
import { findBodyProblem, findLinkProblem, findTitleProblem } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';
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

/** Sends a notification that the owner wrote, once for each `draftId`. Returns its number. */
export const sendByHandAction = ownerAction(DraftInput, async (owner, { to, ...draft }) => {
  const problems = findDraftProblems({ to, ...draft });
  if (Object.keys(problems).length > 0) return refused(problems);
  const { recipientId: chosen, url: link, ...rest } = draft;
  // Id 0 means everyone. A missing choice must not mean everyone.
  const recipientId = to === 'everyone' ? 0 : (chosen ?? -1);
  if (recipientId !== 0 && !(await findPossibleRecipient(owner, recipientId))) return refused({ recipientId: 'gone' });
  const sent = await sendByHand(owner, { ...rest, recipientId, url: link === '' ? null : link });
  if (sent === 'not-in-company') return refused({ recipientId: 'gone' });
  if (sent === 'revoked') return refused({ form: 'session-ended' });
  revalidatePath('/owner', 'layout');
  return done({ no: sent.no });
});
