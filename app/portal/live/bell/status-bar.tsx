'use client';

import { Anchor, Box, Button } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { CloudOff, VolumeX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useQuiet, useSound } from '#app/portal/live/controls/sound-control.tsx';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { EndedLine, OfflineLine, StatusLine } from '#app/ui/frame/status-line.tsx';
import { PageLink } from '#app/ui/text/page-link.tsx';

/**
 * Says when this page is not connected or cannot ring, and how to cure that. The frame keeps room
 * for it at the foot of the page, so that nothing moves when it appears.
 */
export function StatusBar() {
  const t = useTranslations('bell');
  const sound = useTranslations('sound');
  const { connection, sessionEnded } = usePortalState();
  const { online } = useNetwork();
  const state = useSound();
  const quiet = useQuiet();
  const line = () => {
    if (sessionEnded) return <EndedLine />;
    if (!online) return <OfflineLine text={t('offline')} />;
    if (!connection.connected) return <StatusLine icon={<CloudOff aria-hidden size={20} />} text={t('disconnected')} />;
    if (quiet) return null;
    if (state === 'click')
      return (
        <StatusLine icon={<VolumeX aria-hidden size={20} />} text={sound('blockedText')}>
          <EnableSound />
        </StatusLine>
      );
    if (state === 'blocked')
      return (
        <StatusLine
          icon={<VolumeX aria-hidden size={20} />}
          text={sound('blockedByBrowser')}
          link={
            <Anchor component={PageLink} className="status-action" size="sm" href="/portal/settings#sound">
              {sound('cureLink')}
            </Anchor>
          }
        >
          <EnableSound />
        </StatusLine>
      );
    return null;
  };
  return (
    <Box
      role="status"
      className="status-bar"
      data-waits={(!sessionEnded && online && connection.connected) || undefined}
    >
      {line()}
    </Box>
  );
}

// Not a link: the press would unlock the sound of a page that the browser leaves.
function EnableSound() {
  const t = useTranslations('sound');
  return (
    <Button variant="filled" style={{ flexShrink: 0 }} onClick={() => void unlockSound()}>
      {t('enable')}
    </Button>
  );
}
