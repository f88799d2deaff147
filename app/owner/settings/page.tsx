import { Card, Stack, Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AlarmSettings } from '#app/owner/alarms/alarm-settings.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { PasswordForm } from '#app/ui/password-form.tsx';
import { findAlarmSettings } from '#server/alarms.ts';
import { requireOwner, requireSession } from '#server/require.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('settings'))('title') };
}

export default async function OwnerSettings() {
  const owner = await requireOwner('/owner/settings');
  const { account } = await requireSession();
  const t = await getTranslations('settings');
  return (
    <>
      <PageHead title={t('title')} lead={<bdi>{t('signedInAs', { username: account.username })}</bdi>} />
      <Stack>
        <Card withBorder component="section" maw={480}>
          <Title order={2} size="h4" mb="xs">
            {t('companyTitle')}
          </Title>
          <Text component="bdi" fw={600}>
            {owner.companyName}
          </Text>
          <Text c="dimmed">{t('timeZone', { zone: owner.timeZone })}</Text>
        </Card>
        <AlarmSettings initial={await findAlarmSettings(owner)} />
        <PasswordForm username={account.username} />
      </Stack>
    </>
  );
}
