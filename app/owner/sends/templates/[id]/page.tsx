import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { asFormDraft } from '#app/owner/sends/new/stored-draft.ts';
import { TemplatePage } from '#app/owner/sends/templates/template-page.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { IdText } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireManager } from '#server/accounts/require.ts';
import { findTemplate } from '#server/sends/templates.ts';

const path = '/owner/sends/templates';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('templates'))('one') };
}

export default async function OneTemplate({ params }: { params: Promise<{ id: string }> }) {
  const id = IdText.safeParse((await params).id).data;
  const manager = await requireManager(id === undefined ? path : `${path}/${id}`);
  const template = id === undefined ? null : await findTemplate(manager, id);
  if (!template) notFound();
  const t = await getTranslations('templates');
  return (
    <>
      <TextLink href={path}>{t('back')}</TextLink>
      <PageHead title={t('one')} />
      <TemplatePage manager={manager} template={template} draft={await asFormDraft(manager, template)} />
    </>
  );
}
