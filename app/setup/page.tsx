import { Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { SetupForm } from '#app/setup/setup-form.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { env } from '#platform/config/settings.ts';
import { hasOwner } from '#server/companies/companies.ts';

export const dynamic = 'force-dynamic';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('setup'))('title') };
}

export default async function Setup() {
  const isFirst = !(await hasOwner());
  const isOpen = env().SIGN_UP === 'open';
  if (!isFirst && !isOpen) notFound();
  const t = await getTranslations('setup');
  return (
    <PublicPage>
      <Title order={1} size="h2" mb={4}>
        {t('title')}
      </Title>
      <Text c="dimmed" mb="lg">
        {t('lead')}
      </Text>
      <SetupForm askCode={isFirst && !isOpen} zones={Intl.supportedValuesOf('timeZone')} />
    </PublicPage>
  );
}
