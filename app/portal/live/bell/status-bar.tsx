'use client';

import { Anchor, Box, Button } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { CloudOff, VolumeX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { usePortalState } from '#app/portal/live/listener.tsx';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { useQuiet, useSound } from '#app/portal/live/sound/sound-control.tsx';
import { EndedLine, OfflineLine, StatusLine } from '#app/ui/lists/status-line.tsx';

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
    if (ended) return <EndedLine />;
    if (!online) return <OfflineLine text={t('offline')} />;
    if (!contact.connected) return <StatusLine icon={<CloudOff aria-hidden size={20} />} text={t('disconnected')} />;
    if (quiet) return null;
    if (state === 'click')
      return (
        <StatusLine icon={<VolumeX aria-hidden size={20} />} text={sound('blockedText')}>
          <Button variant="filled" onClick={unlockSound}>
            {sound('enable')}
          </Button>
        </StatusLine>
      );
    if (state === 'blocked')
      return (
        <StatusLine icon={<VolumeX aria-hidden size={20} />} text={sound('blockedByBrowser')}>
          <Anchor className="status-action" href="/portal/settings#sound">
            {sound('cureLink')}
          </Anchor>
        </StatusLine>
      );
    return null;
  };
  return (
    <Box role="status" className="status-bar">
      {line()}
    </Box>
  );
}
