import type { FormDraft } from '#app/owner/sends/new/use-draft.ts';
import type { Manager } from '#server/principals.ts';
import { findPeople, findPossibleRecipient } from '#server/sends/possible-recipients.ts';
import type { DraftByHand } from '#server/sends/send.ts';

/**
 * Fills the form with what is stored: a planned send, a send, or a template. A person who is not in
 * the company any more is left out.
 */
export async function asFormDraft(
  manager: Manager,
  { recipientId, toRoles, toPeople, kind, title, body, url, mustConfirm }: Omit<DraftByHand, 'draftId'>,
): Promise<FormDraft> {
  const [recipient, people] = await Promise.all([
    recipientId > 0 ? findPossibleRecipient(manager, recipientId) : null,
    toPeople ? findPeople(manager, toPeople) : [],
  ]);
  const to = toRoles ? 'roles' : toPeople ? 'people' : recipientId > 0 ? 'one' : 'everyone';
  const content = { kind, title, body, url: url ?? '', mustConfirm };
  return { to, recipient, roles: toRoles ?? [], people, ...content };
}
