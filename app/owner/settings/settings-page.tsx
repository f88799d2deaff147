import { Stack } from '@mantine/core';
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

/** The title of a page of the settings, for the browser's tab. */
export async function settingsTitle(name: SettingsName): Promise<string> {
  const t = await getTranslations('settings');
  return `${t(`tabs.${name}`)} · ${t('title')}`;
}

/** A page of the settings: its head, the tabs that an owner has, and its sections. */
export async function SettingsPage({
  current,
  hasTabs = true,
  lead,
  children,
}: {
  current: SettingsName;
  /** A manager has one page, and so no tabs. */
  hasTabs?: boolean;
  lead?: ReactNode;
  children: ReactNode;
}) {
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
