import { Text } from '@mantine/core';
import { Bookmark, BookmarkPlus, Send } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { MessageCard, MessageCards } from '#app/owner/sends/message-cards.tsx';
import { sayRecipients } from '#app/owner/sends/send-query.ts';
import { DeleteTemplate } from '#app/owner/sends/templates/delete-template.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { listTemplates, type Template } from '#server/sends/manual/templates.ts';

const path = '/owner/sends/templates';

export const generateMetadata = titled('templates', 'title');

export default async function Templates() {
  const manager = await requireManager(path);
  const [t, templates] = await Promise.all([getTranslations('templates'), listTemplates(manager)]);
  return (
    <>
      <PageHead compact title={t('title')}>
        <ButtonLink href={`${path}/new`} icon={<BookmarkPlus aria-hidden size={18} />}>
          {t('new')}
        </ButtonLink>
      </PageHead>
      {templates.length === 0 && (
        <EmptyState icon={<Bookmark aria-hidden size={32} />} title={t('empty')} text={t('emptyText')} />
      )}
      <MessageCards>
        {templates.map((template) => (
          <TemplateCard key={template.id} template={template} />
        ))}
      </MessageCards>
    </>
  );
}

async function TemplateCard({ template }: { template: Template }) {
  const [t, sends] = await Promise.all([getTranslations('templates'), getTranslations('sends')]);
  const { id, name, kind, title, body } = template;
  return (
    <MessageCard
      kind={kind}
      title={name}
      level={2}
      data-template={id}
      buttons={
        <>
          <ButtonLink
            href={`/owner/sends/new?template=${id}`}
            variant="light"
            icon={<Send aria-hidden size={18} />}
            aria-label={t('useNamed', { name })}
          >
            {t('use')}
          </ButtonLink>
          <ButtonLink href={`${path}/${id}`} variant="default" aria-label={t('changeNamed', { name })}>
            {t('change')}
          </ButtonLink>
          <DeleteTemplate id={id} name={name} />
        </>
      }
    >
      <Text size="sm" dir="auto" className="wrapping" lineClamp={2}>
        <strong>{title}</strong> · {body}
      </Text>
      <Text className="fine-print" mt={4}>
        {t('to')} <bdi>{sayRecipients(template, sends('everyone'), sends)}</bdi>
      </Text>
    </MessageCard>
  );
}
