import { Stack } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { LinkTabs } from '#app/ui/text/links.tsx';

const pages = {
  account: '/owner/settings',
  company: '/owner/settings/company',
  access: '/owner/settings/access',
  alarms: '/owner/settings/alarms',
} as const;

type SettingsName = keyof typeof pages;

/** Makes the `generateMetadata` of a page of the settings. */
export const settingsTitle = (name: SettingsName) => async (): Promise<Metadata> => {
  const t = await getTranslations('settings');
  return { title: `${t(`tabs.${name}`)} · ${t('title')}` };
};

type Props = { current: SettingsName; hasTabs?: boolean; lead?: ReactNode; children: ReactNode };

/** A page of the settings: its head, tabs, and sections. A manager has one page, and so no tabs. */
export async function SettingsPage({ current, hasTabs = true, lead, children }: Props) {
  const t = await getTranslations('settings');
  const names = Object.keys(pages) as SettingsName[];
  const tabs = names.map((name) => ({ href: pages[name], text: t(`tabs.${name}`), current: name === current }));
  return (
    <>
      <PageHead title={t('title')} lead={lead} />
      {hasTabs && <LinkTabs label={t('tabs.label')} tabs={tabs} />}
      <Stack maw={640}>{children}</Stack>
    </>
  );
}
