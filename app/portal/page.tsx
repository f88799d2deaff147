import { Group, Stack } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { HomeLists } from '#app/portal/home-lists.tsx';
import { ConnectionState } from '#app/portal/live/bell/connection-state.tsx';
import { SoundChip, SoundTest } from '#app/portal/live/controls/sound-control.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireEmployee } from '#server/accounts/require.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('portal'))('title') };
}

const homeItems = 5;
const maxPinned = 20;

export default async function PortalHome() {
  const employee = await requireEmployee('/portal');
  const t = await getTranslations('portal');
  const sound = await getTranslations('sound');
  const [newest, toConfirm] = await Promise.all([
    listInbox(employee, { limit: homeItems }),
    listInbox(employee, { limit: maxPinned, filter: { toConfirm: true } }),
  ]);
  const known = new Map([...newest.items, ...toConfirm.items].map((item) => [item.no, item]));
  const initial = [...known.values()].sort((a, b) => b.no - a.no);
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
        <HomeLists initial={initial.map(asItem)} />
      </Stack>
    </>
  );
}
