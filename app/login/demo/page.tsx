import { Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { DemoSignIn } from '#app/login/demo/demo-sign-in.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { isTrial } from '#platform/config/settings.ts';

export const dynamic = 'force-dynamic';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('login'))('title'), referrer: 'no-referrer' };
}

export default async function DemoLogin() {
  if (!isTrial()) notFound();
  const t = await getTranslations('demoLink');
  return (
    <PublicPage>
      <Title order={1} size="h2">
        {t('title')}
      </Title>
      <Text c="dimmed" mt={4} mb="lg">
        {t('lead')}
      </Text>
      <DemoSignIn />
    </PublicPage>
  );
}
