import { ComposeForm } from '#app/owner/sends/new/compose-form.tsx';
import { asFormDraft } from '#app/owner/sends/new/stored-draft.ts';
import type { Planning } from '#app/owner/sends/when/use-planning.tsx';
import { findMustConfirmKinds } from '#server/companies/rules.ts';
import type { Manager } from '#server/principals.ts';
import type { PlannedSend, SendRule } from '#server/sends/planned-list.ts';
import { countActiveEmployees, listRoles } from '#server/sends/possible-recipients.ts';

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
  const [draft, active, roles, mustConfirmKinds] = await Promise.all([
    asFormDraft(manager, planned),
    countActiveEmployees(manager),
    listRoles(manager),
    findMustConfirmKinds(manager),
  ]);
  return (
    <ComposeForm
      recipient={draft.recipient}
      draft={draft}
      active={active}
      roles={roles}
      mustConfirmKinds={mustConfirmKinds}
      sender={manager.name}
      planning={planning}
    />
  );
}
