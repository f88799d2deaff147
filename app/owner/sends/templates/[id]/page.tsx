import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { TemplateForm } from '#app/owner/sends/new/compose-form.tsx';
import { emptyDraft } from '#app/owner/sends/new/form-draft.ts';
import { asFormDraft, findFormChoices } from '#app/owner/sends/new/stored-draft.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf, IdText, NumberText, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { Texts, titled } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { findSendContent } from '#server/sends/history/details.ts';
import { findTemplate } from '#server/sends/manual/templates.ts';

const path = '/owner/sends/templates';

type Props = { params: Promise<{ id?: string }>; searchParams: Promise<SearchParams> };

export const generateMetadata = titled('templates', 'one');

/** A template to change, or without an id one to make, perhaps `of` a send. */
export default async function TemplatePage({ params, searchParams }: Props) {
  const { id: idInPath } = await params;
  const { of } = readQuery({ of: NumberText }, await searchParams);
  const id = IdText.safeParse(idInPath).data;
  const manager = await requireManager(addressOf(`${path}/${idInPath === undefined ? 'new' : (id ?? '')}`, { of }));
  const template = id === undefined ? null : await findTemplate(manager, id);
  if (!template && idInPath !== undefined) notFound();
  const content = template ?? (of === undefined ? null : await findSendContent(manager, of));
  const [t, choices] = await Promise.all([getTranslations('templates'), findFormChoices(manager)]);
  const draft = content ? await asFormDraft(manager, content) : emptyDraft;
  return (
    <Texts of={['compose', 'templates']}>
      <PageHead back={{ href: path, text: t('back') }} title={t(template ? 'one' : 'new')} />
      <TemplateForm template={template} draft={draft} choices={choices} />
    </Texts>
  );
}
