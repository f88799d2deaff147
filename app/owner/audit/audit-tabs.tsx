import { useTranslations } from 'next-intl';
import { LinkTabs } from '#app/ui/text/links.tsx';

export function AuditTabs({ current }: { current: 'audit' | 'refused' }) {
  const t = useTranslations('refusals');
  const tabs = [
    { href: '/owner/audit', text: t('tabAudit'), current: current === 'audit' },
    { href: '/owner/audit/refused', text: t('title'), current: current === 'refused' },
  ];
  return <LinkTabs label={t('tabsLabel')} tabs={tabs} />;
}
