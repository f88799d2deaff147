'use client';

import { Group, Text } from '@mantine/core';
import { Wifi, WifiOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { usePortalState } from '#app/portal/live/listener.tsx';

/** Whether the portal is in contact with the service, and how many seconds ago it last was. */
export function ConnectionState() {
  const t = useTranslations('bell');
  const { contact, ended } = usePortalState();
  const seconds = useSecondsSince(contact.checkedAt);
  const Icon = contact.connected && !ended ? Wifi : WifiOff;
  const text = () => {
    if (ended) return t('ended');
    if (!contact.connected) return t('disconnected');
    return seconds === null ? t('connecting') : t('checked', { seconds });
  };
  return (
    <Group gap={6} wrap="nowrap" data-connection={ended ? 'ended' : contact.connected ? 'connected' : 'disconnected'}>
      <Icon aria-hidden size={16} />
      <Text size="sm" c="dimmed">
        {text()}
      </Text>
    </Group>
  );
}

function useSecondsSince(moment: number | null): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const show = () => setNow(Date.now());
    show();
    const timer = setInterval(show, 1000);
    return () => clearInterval(timer);
  }, []);
  return moment === null || now === null ? null : Math.max(0, Math.round((now - moment) / 1000));
}
