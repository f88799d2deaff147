import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ComposeForm } from '#app/owner/sends/new/compose-form.tsx';
import { initialWhen } from '#app/owner/sends/when/initial-when.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf } from '#app/ui/lists/address.ts';
import { IdText, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireManager } from '#server/accounts/require.ts';
import { findMustConfirmKinds } from '#server/companies/rules.ts';
import { countActiveEmployees, findPossibleRecipient, listRoles } from '#server/sends/possible-recipients.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('compose'))('title') };
}

export default async function Compose({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { to } = readQuery({ to: IdText }, await searchParams);
  const manager = await requireManager(addressOf('/owner/sends/new', { to }));
  const [t, sends, recipient, active, roles, mustConfirmKinds] = await Promise.all([
    getTranslations('compose'),
    getTranslations('sends'),
    to === undefined ? null : findPossibleRecipient(manager, to),
    countActiveEmployees(manager),
    listRoles(manager),
    findMustConfirmKinds(manager),
  ]);
  return (
    <>
      <TextLink href="/owner/sends">{sends('back')}</TextLink>
      <PageHead title={t('title')} lead={t('lead')} />
      <ComposeForm
        recipient={recipient}
        active={active}
        roles={roles}
        mustConfirmKinds={mustConfirmKinds}
        sender={manager.name}
        planning={{ timeZone: manager.timeZone, initial: initialWhen(manager.timeZone) }}
      />
    </>
  );
}
