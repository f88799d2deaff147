import { ComposeForm } from '#app/owner/sends/new/compose-form.tsx';
import type { Planning } from '#app/owner/sends/when/use-planning.tsx';
import { findMustConfirmKinds } from '#server/companies/rules.ts';
import type { Manager } from '#server/principals.ts';
import type { PlannedSend, SendRule } from '#server/sends/planned-list.ts';
import { countActiveEmployees, findPossibleRecipient } from '#server/sends/possible-recipients.ts';

/** The form that changes what is planned. */
export async function PlannedForm({
  manager,
  planned,
  planning,
}: {
  manager: Manager;
  planned: PlannedSend | SendRule;
  planning: Planning;
}) {
  const { recipientId, kind, title, body, url, mustConfirm } = planned;
  const [recipient, active, mustConfirmKinds] = await Promise.all([
    recipientId === 0 ? null : findPossibleRecipient(manager, recipientId),
    countActiveEmployees(manager),
    findMustConfirmKinds(manager),
  ]);
  const draft = {
    to: recipient ? ('one' as const) : ('everyone' as const),
    recipient,
    kind,
    title,
    body,
    url: url ?? '',
    mustConfirm,
  };
  return (
    <ComposeForm
      recipient={recipient}
      draft={draft}
      active={active}
      mustConfirmKinds={mustConfirmKinds}
      sender={manager.name}
      planning={planning}
    />
  );
}
