import { Card, Stack, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { SoundPanel } from '#app/portal/listener/sound-control.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { PasswordForm } from '#app/ui/password-form.tsx';
import { requireEmployee, requireSession } from '#server/require.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('settings'))('title') };
}

export default async function PortalSettings() {
  await requireEmployee('/portal/settings');
  const { account } = await requireSession();
  const t = await getTranslations('settings');
  const sound = await getTranslations('sound');
  return (
    <>
      <PageHead title={t('title')} lead={<bdi>{t('signedInAs', { username: account.username })}</bdi>} />
      <Stack>
        <Card withBorder component="section" maw={480} aria-labelledby="sound">
          <Title order={2} size="h4" mb="sm" id="sound">
            {sound('title')}
          </Title>
          <SoundPanel />
        </Card>
        <PasswordForm username={account.username} />
      </Stack>
    </>
  );
}
