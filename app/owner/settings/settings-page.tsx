import { Stack } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { PageHead } from '#app/ui/frame/page-head.tsx';

type Props = { name: 'account' | 'company' | 'access' | 'alarms' | 'data'; lead?: ReactNode; children: ReactNode };

/** A page of settings, under the name that it has in the menu. */
export async function SettingsPage({ name, lead, children }: Props) {
  const t = await getTranslations('nav');
  return (
    <>
      <PageHead title={t(name)} lead={lead} />
      <Stack maw={640}>{children}</Stack>
    </>
  );
}
