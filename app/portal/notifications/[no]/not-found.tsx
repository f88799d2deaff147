import { MailQuestionMark } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { EmptyState } from '#app/ui/lists/list-parts.tsx';
import { TextLink } from '#app/ui/text/links.tsx';

export default async function UnknownNotification() {
  const t = await getTranslations('notification');
  return (
    <EmptyState icon={<MailQuestionMark size={32} />} title={t('unknown')} text={t('unknownText')}>
      <TextLink href="/portal/notifications">{t('toList')}</TextLink>
    </EmptyState>
  );
}
