import { Text } from '@mantine/core';
import { Bookmark, BookmarkPlus, Send } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { deleteTemplateAction } from '#app/owner/sends/actions.ts';
import { MessageCard, MessageCards } from '#app/owner/sends/message-cards.tsx';
import { sayRecipients } from '#app/owner/sends/send-query.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/list-parts.tsx';
import { ConfirmedAction } from '#app/ui/sessions/form-dialog.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { listTemplates } from '#server/sends/manual/templates.ts';

const path = '/owner/sends/templates';

export const generateMetadata = titled('templates', 'title');

export default async function Templates() {
  const manager = await requireManager(path);
  const [t, sends] = await Promise.all([getTranslations('templates'), getTranslations('sends')]);
  const templates = await listTemplates(manager);
  const buttonsOf = (id: number, name: string) => (
    <>
      <ButtonLink
        href={`/owner/sends/new?template=${id}`}
        variant="light"
        icon={<Send />}
        aria-label={t('useNamed', { name })}
        text={t('use')}
      />
      <ButtonLink href={`${path}/${id}`} variant="default" aria-label={t('changeNamed', { name })} text={t('change')} />
      <ConfirmedAction
        label={t('deleteNamed', { name })}
        action={deleteTemplateAction}
        input={{ template: id }}
        sentences={{ templateGone: t('templateGone') }}
        title={t('deleteTitle', { name })}
        submit={t('delete')}
        text={t('deleteText')}
      />
    </>
  );
  return (
    <>
      <PageHead compact title={t('title')}>
        <ButtonLink href={`${path}/new`} icon={<BookmarkPlus />} text={t('new')} />
      </PageHead>
      {templates.length === 0 && <EmptyState icon={<Bookmark size={32} />} title={t('empty')} text={t('emptyText')} />}
      <MessageCards>
        {templates.map(({ id, name, ...template }) => (
          <MessageCard key={id} of={template} title={name} level={2} data-template={id} buttons={buttonsOf(id, name)}>
            <Text size="sm" dir="auto" className="wrapping" lineClamp={2}>
              <strong>
                <MarkedText text={template.title} />
              </strong>{' '}
              · <MarkedText text={template.body} />
            </Text>
            <Text className="fine-print" mt={4}>
              {t('to')} <bdi>{sayRecipients(template, sends('everyone'), sends)}</bdi>
            </Text>
          </MessageCard>
        ))}
      </MessageCards>
    </>
  );
}
