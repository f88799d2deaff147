import { z } from 'zod';
import { findTextProblems, type Texts } from '#app/owner/sends/text-problems.ts';
import { type FormRefusal, Id, refused } from '#app/ui/forms/fields.ts';
import { findSettings } from '#server/audit/record.ts';
import { asAnswers, findLinkTarget, maxAnswers } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';
import type { Manager } from '#server/principals.ts';
import type { ManualDraft } from '#server/sends/drafts.ts';
import { findPeople, findPossibleRecipient, hasRole } from '#server/sends/manual/possible-recipients.ts';
import { findPicture } from '#server/sends/pictures/pictures.ts';
import { maxChosenPeople, maxChosenRoles } from '#server/sends/store.ts';

/** The fields of a notification that a person writes, as the form has them. */
export const draftShape = {
  draftId: z.uuid(),
  to: z.enum(['everyone', 'one', 'roles', 'people']),
  recipientId: Id.nullable(),
  roles: z.array(z.string().max(120)).max(maxChosenRoles),
  people: z.array(Id).max(maxChosenPeople),
  kind: z.enum(kinds),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  mustConfirm: z.boolean(),
  // The id under which it is stored. Pages of the version before do not know it.
  picture: z.uuid().nullable().default(null),
  // The fields of answers, some of them empty; none: it asks for no answer.
  answers: z.array(z.string()).max(maxAnswers).default([]),
};

export type DraftInput = z.output<z.ZodObject<typeof draftShape>>;

/** The problems of texts and link of a message; `linkNowhere`: the company has no portal for this path. */
export async function findMessageProblems(manager: Manager, texts: Texts): Promise<Record<string, string>> {
  const problems = findTextProblems(texts);
  if (problems.url || texts.url === '') return problems;
  const { linkBase } = await findSettings(manager, ['linkBase']);
  return findLinkTarget(texts.url, linkBase) ? problems : { ...problems, url: 'linkNowhere' };
}

/** Checks what a form says, and turns it into a draft; or returns the problems of its fields. */
export async function checkDraft(manager: Manager, input: DraftInput): Promise<ManualDraft | FormRefusal> {
  const { draftId, kind, title, body, url, mustConfirm, picture } = input;
  const problems = await findMessageProblems(manager, input);
  const recipients = await findRecipients(manager, input);
  if (typeof recipients === 'string') return refused({ ...problems, recipientId: recipients });
  if (picture && !(await findPicture(manager, { draftId: picture }))) problems.picture = 'pictureGone';
  if (Object.keys(problems).length > 0) return refused(problems);
  const answers = input.answers.length > 0 ? asAnswers(input.answers) : null;
  return { draftId, kind, title, body, url: url || null, answers, mustConfirm, picture, recipients };
}

// The recipients, or why they are refused.
async function findRecipients(manager: Manager, { to, recipientId, roles, people }: DraftInput) {
  if (to === 'everyone') return { to };
  if (to === 'roles') {
    if (roles.length === 0) return 'rolesMissing';
    return (await hasRole(manager, roles)) ? { to, roles } : 'rolesGone';
  }
  if (to === 'people') {
    const employeeIds = [...new Set(people)];
    const employees = await findPeople(manager, employeeIds);
    if (employees.length < employeeIds.length) return 'peopleGone';
    return employees.length > 0 ? { to, employeeIds } : 'peopleMissing';
  }
  if (recipientId === null) return 'personMissing';
  return (await findPossibleRecipient(manager, recipientId)) ? { to, employeeId: recipientId } : 'gone';
}
