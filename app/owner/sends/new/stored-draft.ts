import type { FormDraft } from '#app/owner/sends/new/use-draft.ts';
import { findMustConfirmKinds } from '#server/companies/rules.ts';
import type { Manager } from '#server/principals.ts';
import type { DraftContent } from '#server/sends/manual/drafts.ts';
import {
  countActiveEmployees,
  findPeople,
  findPossibleRecipient,
  listRoles,
} from '#server/sends/manual/possible-recipients.ts';

/** The form before anybody wrote anything. */
export const emptyDraft: FormDraft = {
  to: 'everyone',
  recipient: null,
  roles: [],
  people: [],
  kind: 'info',
  title: '',
  body: '',
  url: '',
  mustConfirm: false,
};

/**
 * Fills the form with what is stored: a planned send, a send, or a template. A person who is not in
 * the company any more is left out.
 */
export async function asFormDraft(
  manager: Manager,
  { recipients, kind, title, body, url, mustConfirm }: DraftContent,
): Promise<FormDraft> {
  const [recipient, people] = await Promise.all([
    recipients.to === 'one' ? findPossibleRecipient(manager, recipients.employeeId) : null,
    recipients.to === 'people' ? findPeople(manager, recipients.employeeIds) : [],
  ]);
  const roles = recipients.to === 'roles' ? recipients.roles : [];
  return { to: recipients.to, recipient, roles, people, kind, title, body, url: url ?? '', mustConfirm };
}

/** What the form of a notification shows of the company. */
export type FormChoices = Awaited<ReturnType<typeof findFormChoices>>;

/** Finds what the form of a notification shows of the company, and the name of its sender. */
export async function findFormChoices(manager: Manager) {
  const [active, roles, mustConfirmKinds] = await Promise.all([
    countActiveEmployees(manager),
    listRoles(manager),
    findMustConfirmKinds(manager),
  ]);
  return { active, roles, mustConfirmKinds, sender: manager.name };
}
