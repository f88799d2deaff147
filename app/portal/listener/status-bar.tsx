'use client';

import { Anchor, Box, Button, Group, Paper, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { CloudOff, LogIn, VolumeX, WifiOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { usePortalState } from '#app/portal/listener/listener.tsx';
import { unlockSound } from '#app/portal/listener/sound.ts';
import { useQuiet, useSound } from '#app/portal/listener/sound-control.tsx';

/**
 * Says when this page cannot hear or cannot ring, and how to cure it. It lies over the foot of the page, where room is kept for
 * it, so that nothing jumps when it comes or goes.
 */
export function StatusBar() {
  const t = useTranslations('bell');
  const sound = useTranslations('sound');
  const { contact, ended } = usePortalState();
  const { online } = useNetwork();
  const state = useSound();
  const quiet = useQuiet();
  const line = () => {
    if (ended)
      return (
        <Line icon={<LogIn aria-hidden size={20} />} text={t('ended')}>
          <Anchor
            className="status-action"
            href={`/login?returnTo=${encodeURIComponent(location.pathname + location.search)}`}
          >
            {t('signIn')}
          </Anchor>
        </Line>
      );
    if (!online) return <Line icon={<WifiOff aria-hidden size={20} />} text={t('offline')} />;
    if (!contact.connected) return <Line icon={<CloudOff aria-hidden size={20} />} text={t('disconnected')} />;
    if (quiet) return null;
    if (state === 'click')
      return (
        <Line icon={<VolumeX aria-hidden size={20} />} text={sound('blockedText')}>
          <Button variant="filled" onClick={unlockSound}>
            {sound('enable')}
          </Button>
        </Line>
      );
    if (state === 'blocked')
      return (
        <Line icon={<VolumeX aria-hidden size={20} />} text={sound('blockedByBrowser')}>
          <Anchor className="status-action" href="/portal/settings#sound">
            {sound('cureLink')}
          </Anchor>
        </Line>
      );
    return null;
  };
  return (
    <Box role="status" className="status-bar">
      {line()}
    </Box>
  );
}

function Line({ icon, text, children }: { icon: ReactNode; text: string; children?: ReactNode }) {
  return (
    <Paper withBorder shadow="md" px="md" py={6} className="status-line">
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Group gap="sm" wrap="nowrap">
          {icon}
          <Text size="sm" lh={1.3}>
            {text}
          </Text>
        </Group>
        {children}
      </Group>
    </Paper>
  );
}
