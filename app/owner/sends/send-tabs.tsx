import { getTranslations } from 'next-intl/server';
import { LinkTabs } from '#app/ui/text/links.tsx';

const pages = { sent: '/owner/sends', planned: '/owner/sends/planned', templates: '/owner/sends/templates' } as const;

export async function SendTabs({ current }: { current: keyof typeof pages }) {
  const t = await getTranslations('sends');
  const names = Object.keys(pages) as (keyof typeof pages)[];
  const tabs = names.map((name) => ({ href: pages[name], text: t(`tabs.${name}`), current: name === current }));
  return <LinkTabs label={t('tabs.label')} tabs={tabs} />;
}
