import { Alert, Anchor, Divider, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { ConnectionState } from '#app/portal/live/bell/status-bar.tsx';
import { SilenceButton, SoundPanel } from '#app/portal/live/controls/sound-panel.tsx';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { EntryLink } from '#app/portal/notification/inbox-entry.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';

const newestShown = 5;

export function BellMenu({ onFollow }: { onFollow: () => void }) {
  const t = useTranslations();
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text ref={title} fw={600} tabIndex={-1}>
          {t('inbox.title')}
        </Text>
        <ConnectionState />
      </Group>
      <Newest onFollow={onFollow} />
      <Anchor className="pop-up-link" component={PageLink} href="/portal/notifications" onClick={onFollow}>
        {t('bell.show')}
      </Anchor>
      <Divider />
      <SoundPanel />
      <Group gap="md">
        <SilenceButton />
        <Anchor className="pop-up-link" component={PageLink} href="/portal/settings" size="sm" onClick={onFollow}>
          {t('bell.moreSettings')}
        </Anchor>
        <Anchor className="pop-up-link" component={PageLink} href="/portal/help" size="sm" onClick={onFollow}>
          {t('bell.help')}
        </Anchor>
      </Group>
    </Stack>
  );
}

function Newest({ onFollow }: { onFollow: () => void }) {
  const t = useTranslations();
  const { arrived, withdrawn, corrections } = usePortalState();
  const newestNo = arrived[0]?.no;
  const [items, setItems] = useState<Item[] | 'failed' | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new items are listed too
  useEffect(() => {
    const asked = new AbortController();
    fetch(`/portal/inbox?limit=${newestShown}`, { signal: asked.signal })
      .then(async (response) => setItems(response.ok ? ((await response.json()) as { items: Item[] }).items : 'failed'))
      .catch(() => asked.signal.aborted || setItems('failed'));
    return () => asked.abort();
  }, [newestNo, corrections]);
  if (items === 'failed') return <Alert color="red">{t('form.failed')}</Alert>;
  if (items === null) return <Skeleton height={newestShown * 60} />;
  const listed = items.filter(({ no }) => !withdrawn.includes(no));
  if (listed.length === 0) return <Text size="sm">{t('inbox.empty')}</Text>;
  return (
    <ul className="bell-entries">
      {listed.map((item) => (
        <li key={item.no} data-read={item.read}>
          <EntryLink item={item} onFollow={onFollow} />
        </li>
      ))}
    </ul>
  );
}
