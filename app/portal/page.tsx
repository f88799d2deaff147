import { Group, Stack, Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ConnectionState } from '#app/portal/listener/connection-state.tsx';
import { SoundChip, SoundTest } from '#app/portal/listener/sound-control.tsx';
import { NewestList } from '#app/portal/notifications/inbox-list.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { TextLink } from '#app/ui/text-link.tsx';
import { listInbox } from '#server/inbox.ts';
import { asItem } from '#server/inbox-item.ts';
import { requireEmployee } from '#server/require.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('portal'))('title') };
}

export default async function PortalHome() {
  const employee = await requireEmployee('/portal');
  const t = await getTranslations('portal');
  const sound = await getTranslations('sound');
  const { items } = await listInbox(employee, { limit: 5 });
  return (
    <>
      <PageHead title={<bdi>{t('hello', { name: employee.name })}</bdi>} lead={t('lead')} />
      <Stack gap="lg">
        <Group component="section" aria-label={sound('title')} gap="md">
          <Stack gap={4} style={{ flex: '1 1 200px' }}>
            <SoundChip />
            <ConnectionState />
          </Stack>
          <SoundTest />
          <TextLink href="/portal/help">{sound('helpLink')}</TextLink>
        </Group>
        <section aria-labelledby="newest">
          <Title order={2} size="h4" id="newest" mb="sm">
            {t('newest')}
          </Title>
          <NewestList initial={items.map(asItem)} />
          <Text mt="md">
            <TextLink href="/portal/notifications">{t('all')}</TextLink>
          </Text>
        </section>
      </Stack>
    </>
  );
}
