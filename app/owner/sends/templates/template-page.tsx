import type { FormDraft } from '#app/owner/sends/new/use-draft.ts';
import { TemplateForm } from '#app/owner/sends/templates/template-form.tsx';
import { findMustConfirmKinds } from '#server/companies/rules.ts';
import type { Manager } from '#server/principals.ts';
import { countActiveEmployees, listRoles } from '#server/sends/possible-recipients.ts';

type Props = { manager: Manager; template: { id: number; name: string } | null; draft: FormDraft };

/** The form of a template with what it needs of the company. */
export async function TemplatePage({ manager, template, draft }: Props) {
  const [active, roles, mustConfirmKinds] = await Promise.all([
    countActiveEmployees(manager),
    listRoles(manager),
    findMustConfirmKinds(manager),
  ]);
  const about = { active, roles, mustConfirmKinds, sender: manager.name };
  return <TemplateForm template={template} draft={draft} {...about} />;
}
