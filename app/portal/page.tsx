import { Card, Stack, Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { asItem } from '#app/portal/item.ts';
import { SoundPanel } from '#app/portal/listener/sound-control.tsx';
import { InboxList } from '#app/portal/notifications/inbox-list.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { TextLink } from '#app/ui/text-link.tsx';
import { listInbox } from '#server/inbox.ts';
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
        <Card withBorder component="section" aria-labelledby="sound">
          <Title order={2} size="h4" id="sound" mb="sm">
            {sound('title')}
          </Title>
          <SoundPanel />
        </Card>
        <section aria-labelledby="newest">
          <Title order={2} size="h4" id="newest" mb="sm">
            {t('newest')}
          </Title>
          <InboxList initial={items.map(asItem)} more={false} filter="all" compact />
          <Text mt="md">
            <TextLink href="/portal/notifications">{t('all')}</TextLink>
          </Text>
        </section>
      </Stack>
    </>
  );
}
