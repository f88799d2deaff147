import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { asFormDraft } from '#app/owner/sends/new/stored-draft.ts';
import { emptyDraft } from '#app/owner/sends/new/use-draft.ts';
import { TemplatePage } from '#app/owner/sends/templates/template-page.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf } from '#app/ui/lists/address.ts';
import { NumberText, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireManager } from '#server/accounts/require.ts';
import { findSendContent } from '#server/sends/details.ts';

const path = '/owner/sends/templates';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('templates'))('new') };
}

export default async function NewTemplate({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { of } = readQuery({ of: NumberText }, await searchParams);
  const manager = await requireManager(addressOf(`${path}/new`, { of }));
  const [t, send] = await Promise.all([
    getTranslations('templates'),
    of === undefined ? null : findSendContent(manager, of),
  ]);
  const draft = send ? await asFormDraft(manager, send) : emptyDraft;
  return (
    <>
      <TextLink href={path}>{t('back')}</TextLink>
      <PageHead title={t('new')} />
      <TemplatePage manager={manager} template={null} draft={draft} />
    </>
  );
}
