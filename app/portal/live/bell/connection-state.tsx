'use client';

import { Group, Text } from '@mantine/core';
import { Wifi, WifiOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';

// The portal asks at least every 10 s; only a longer silence is worth a number.
const quietS = 20;

/** Shows whether the portal reaches the service, and the seconds since its last answer if they are many. */
export function ConnectionState() {
  const t = useTranslations('bell');
  const { connection, sessionEnded } = usePortalState();
  const seconds = useSecondsSince(connection.checkedAt);
  const Icon = connection.connected && !sessionEnded ? Wifi : WifiOff;
  const text = () => {
    if (sessionEnded) return t('ended');
    if (!connection.connected) return t('disconnected');
    if (seconds === null) return t('connecting');
    return seconds <= quietS ? t('connected') : t('checked', { seconds });
  };
  return (
    <Group
      gap={6}
      wrap="nowrap"
      data-connection={sessionEnded ? 'ended' : connection.connected ? 'connected' : 'disconnected'}
    >
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
