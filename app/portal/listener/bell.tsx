'use client';

import { ActionIcon, Indicator } from '@mantine/core';
import { Bell as BellIcon } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useListener } from '#app/portal/listener/listener.tsx';

/** The bell with the unread count, on every page; leads to the notifications. */
export function Bell() {
  const t = useTranslations('bell');
  const { unread } = useListener();
  return (
    <Indicator label={unread > 99 ? '99+' : unread} size={18} color="red.8" disabled={unread === 0} offset={8}>
      <ActionIcon
        component={Link}
        href="/portal/notifications"
        variant="subtle"
        color="gray"
        aria-label={t('label', { count: unread })}
      >
        <BellIcon aria-hidden size={22} />
      </ActionIcon>
    </Indicator>
  );
}
