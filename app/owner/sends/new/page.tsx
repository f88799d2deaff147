import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ComposeForm } from '#app/owner/sends/new/compose-form.tsx';
import { asFormDraft } from '#app/owner/sends/new/stored-draft.ts';
import type { FormDraft } from '#app/owner/sends/new/use-draft.ts';
import { initialWhen } from '#app/owner/sends/when/initial-when.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf } from '#app/ui/lists/address.ts';
import { IdText, NumberText, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireManager } from '#server/accounts/require.ts';
import { findMustConfirmKinds } from '#server/companies/rules.ts';
import type { Manager } from '#server/principals.ts';
import { findSendContent } from '#server/sends/details.ts';
import { countActiveEmployees, findPossibleRecipient, listRoles } from '#server/sends/possible-recipients.ts';
import { findTemplate } from '#server/sends/templates.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('compose'))('title') };
}

export default async function Compose({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = readQuery({ to: IdText, again: NumberText, template: IdText }, await searchParams);
  const manager = await requireManager(addressOf('/owner/sends/new', query));
  const { to } = query;
  const [t, sends, recipient, draft, active, roles, mustConfirmKinds] = await Promise.all([
    getTranslations('compose'),
    getTranslations('sends'),
    to === undefined ? null : findPossibleRecipient(manager, to),
    findFirstDraft(manager, query),
    countActiveEmployees(manager),
    listRoles(manager),
    findMustConfirmKinds(manager),
  ]);
  return (
    <>
      <TextLink href="/owner/sends">{sends('back')}</TextLink>
      <PageHead title={t('title')} lead={t('lead')} />
      <ComposeForm
        key={`${query.again} ${query.template}`}
        recipient={recipient}
        draft={draft}
        active={active}
        roles={roles}
        mustConfirmKinds={mustConfirmKinds}
        sender={manager.name}
        planning={{ timeZone: manager.timeZone, initial: initialWhen(manager.timeZone) }}
      />
    </>
  );
}

// With `again` the form begins as a send, with `template` as a template of the company.
async function findFirstDraft(
  manager: Manager,
  { again, template }: { again?: number; template?: number },
): Promise<FormDraft | undefined> {
  if (again === undefined && template === undefined) return undefined;
  const content = await (again === undefined ? findTemplate(manager, template ?? 0) : findSendContent(manager, again));
  return content ? asFormDraft(manager, content) : undefined;
}
