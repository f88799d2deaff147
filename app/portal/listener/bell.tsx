'use client';

import { ActionIcon, Alert, Anchor, Divider, Group, Indicator, Popover, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Bell as BellIcon } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { ReminderMark } from '#app/portal/confirm.tsx';
import { KindIcon } from '#app/portal/kind-icon.tsx';
import { ConnectionState } from '#app/portal/listener/connection-state.tsx';
import { usePortalState } from '#app/portal/listener/listener.tsx';
import { usePortal } from '#app/portal/listener/portal-context.tsx';
import { SilenceButton } from '#app/portal/listener/silence.tsx';
import { SoundPanel } from '#app/portal/listener/sound-control.tsx';
import { mostCounted } from '#app/portal/listener/unread-marks.ts';
import { TimeAgo } from '#app/ui/time-ago.tsx';
import type { Item } from '#server/inbox-item.ts';

const newestShown = 5;

/** The bell with the unread count, on every page; its menu has the newest, the connection and the sound. */
export function Bell() {
  const t = useTranslations('bell');
  const portal = usePortal();
  const { unread } = usePortalState();
  const [opened, { toggle, close }] = useDisclosure();
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link in the menu leads to another page, which closes it
  useEffect(() => close(), [pathname, close]);
  // Pop-ups would lie over the menu; what they stand for is in it.
  useEffect(() => {
    document.documentElement.toggleAttribute('data-bell-open', opened);
    return () => document.documentElement.removeAttribute('data-bell-open');
  }, [opened]);
  return (
    <Popover
      opened={opened}
      onChange={(now) => (now ? undefined : close())}
      position="bottom-end"
      width="min(380px, calc(100vw - 16px))"
      shadow="lg"
      trapFocus
      returnFocus
    >
      <Indicator
        label={unread.count > 99 ? '99+' : unread.count}
        size={18}
        color="red"
        disabled={unread.count === 0}
        offset={8}
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('label', { count: Math.min(unread.count, mostCounted) })}
            onClick={() => {
              portal.clearPopUps();
              toggle();
            }}
          >
            <BellIcon aria-hidden size={22} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p="sm" className="bell-menu" aria-label={t('menu')} aria-labelledby={undefined}>
        <BellMenu onFollow={close} />
      </Popover.Dropdown>
    </Popover>
  );
}

function BellMenu({ onFollow }: { onFollow: () => void }) {
  const t = useTranslations();
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text fw={600} tabIndex={-1} data-autofocus>
          {t('inbox.title')}
        </Text>
        <ConnectionState />
      </Group>
      <Newest onFollow={onFollow} />
      <Anchor className="pop-up-link" component={Link} href="/portal/notifications" onClick={onFollow}>
        {t('bell.show')}
      </Anchor>
      <Divider />
      <SoundPanel />
      <Group gap="md">
        <SilenceButton />
        <Anchor className="pop-up-link" component={Link} href="/portal/settings" size="sm" onClick={onFollow}>
          {t('bell.moreSettings')}
        </Anchor>
        <Anchor className="pop-up-link" component={Link} href="/portal/help" size="sm" onClick={onFollow}>
          {t('bell.help')}
        </Anchor>
      </Group>
    </Stack>
  );
}

function Newest({ onFollow }: { onFollow: () => void }) {
  const t = useTranslations();
  const { arrived, withdrawn } = usePortalState();
  const newestNo = arrived[0]?.no;
  const [items, setItems] = useState<Item[] | 'failed' | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what arrives while the menu is open belongs into it
  useEffect(() => {
    const asked = new AbortController();
    fetch(`/portal/inbox?limit=${newestShown}`, { signal: asked.signal })
      .then(async (response) => setItems(response.ok ? ((await response.json()) as { items: Item[] }).items : 'failed'))
      .catch(() => asked.signal.aborted || setItems('failed'));
    return () => asked.abort();
  }, [newestNo]);
  if (items === 'failed') return <Alert color="red">{t('form.failed')}</Alert>;
  if (items === null) return <Skeleton height={newestShown * 44} />;
  const listed = items.filter(({ no }) => !withdrawn.includes(no));
  if (listed.length === 0) return <Text size="sm">{t('inbox.empty')}</Text>;
  return (
    <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
      {listed.map((item) => (
        <li key={item.no}>
          <Link href={`/portal/notifications#n${item.no}`} className="newest" onClick={onFollow}>
            <KindIcon kind={item.kind} size={18} />
            <span className="newest-text">
              <Text component="span" dir="auto" size="sm" fw={item.read ? 400 : 700} truncate display="block">
                <ReminderMark item={item} />
                {item.title}
              </Text>
              <Text component="span" size="xs" c="dimmed">
                {t(`inbox.kind.${item.kind}`)} · {item.mustConfirm && !item.confirmedAt && `${t('mustRead.waits')} · `}
                {!item.read && `${t('inbox.isUnread')} · `}
                <TimeAgo at={item.createdAt} />
              </Text>
            </span>
          </Link>
        </li>
      ))}
    </Stack>
  );
}
