'use client';

import { Button, Group } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useListener } from '#app/portal/listener/listener.tsx';
import type { InboxFilter } from '#server/inbox.ts';

/** All or unread: two links, so that each has an address of its own. */
export function InboxTabs({ filter }: { filter: InboxFilter }) {
  const t = useTranslations('inbox');
  const { unread } = useListener();
  const tab = (name: InboxFilter, href: string, label: string) => (
    <Button
      component={Link}
      href={href}
      variant={filter === name ? 'light' : 'subtle'}
      aria-current={filter === name ? 'page' : undefined}
    >
      {label}
    </Button>
  );
  return (
    <Group gap="xs" mb="md">
      {tab('all', '/portal/notifications', t('all'))}
      {tab(
        'unread',
        '/portal/notifications?filter=unread',
        unread > 0 ? `${t('unread')} (${unread > 99 ? '99+' : unread})` : t('unread'),
      )}
    </Group>
  );
}
