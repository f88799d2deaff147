import { z } from 'zod';
import { type FormRefusal, Id, refused } from '#app/ui/forms/fields.ts';
import { findBodyProblem, findLinkProblem, findTitleProblem } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';
import type { Manager } from '#server/principals.ts';
import { findPossibleRecipient } from '#server/sends/possible-recipients.ts';
import type { DraftByHand } from '#server/sends/send.ts';

/** The fields of a notification that a person writes, as the form has them. */
export const draftShape = {
  draftId: z.uuid(),
  to: z.enum(['everyone', 'one']),
  recipientId: Id.nullable(),
  kind: z.enum(kinds),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  mustConfirm: z.boolean(),
};

const DraftInput = z.object(draftShape);

/** What a form says of a notification. */
export type DraftInput = z.output<typeof DraftInput>;

const textProblems = {
  title: { blank: 'titleBlank', too_long: 'titleLong', forbidden_character: 'forbidden' },
  body: { blank: 'bodyBlank', too_long: 'bodyLong', forbidden_character: 'forbidden' },
} as const;
const linkProblems = { too_long: 'linkLong', not_internal: 'linkInternal', forbidden_character: 'forbidden' } as const;

/** The problem of each text that is refused; empty when all may be sent. */
export function findTextProblems({ title, body, url }: Pick<DraftInput, 'title' | 'body' | 'url'>) {
  const titleProblem = findTitleProblem(title);
  const bodyProblem = findBodyProblem(body);
  const linkProblem = url === '' ? null : findLinkProblem(url);
  return {
    ...(titleProblem && { title: textProblems.title[titleProblem.code] }),
    ...(bodyProblem && { body: textProblems.body[bodyProblem.code] }),
    ...(linkProblem && { url: linkProblems[linkProblem.code] }),
  };
}

/** Checks what a form says, and turns it into a draft; or returns the problems of its fields. */
export async function checkDraft(manager: Manager, input: DraftInput): Promise<{ draft: DraftByHand } | FormRefusal> {
  const { draftId, to, recipientId: chosen, kind, title, body, url, mustConfirm } = input;
  const problems = {
    ...(to === 'one' && chosen === null && { recipientId: 'personMissing' }),
    ...findTextProblems(input),
  };
  if (Object.keys(problems).length > 0) return refused(problems);
  // Id 0 means everyone. A missing choice must not mean everyone.
  const recipientId = to === 'everyone' ? 0 : (chosen ?? -1);
  if (recipientId !== 0 && !(await findPossibleRecipient(manager, recipientId)))
    return refused({ recipientId: 'gone' });
  const link = url === '' ? null : url;
  return { draft: { draftId, kind, title, body, url: link, mustConfirm, recipientId, toRoles: null, toPeople: null } };
}
