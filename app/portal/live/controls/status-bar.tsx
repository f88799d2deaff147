'use client';

import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { CloudOff, VolumeX, Wifi, WifiOff } from 'lucide-react';
import { useNow, useTranslations } from 'next-intl';
import { useQuiet, useSound } from '#app/portal/live/controls/use-sound.ts';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { EndedLine, OfflineLine, StatusLine } from '#app/ui/frame/status-line.tsx';
import { PageLink } from '#app/ui/text/links.tsx';

/** Says when this page cannot listen or ring, and the cure. The frame keeps room for it: nothing moves. */
export function StatusBar() {
  const t = useTranslations();
  const { connection, sessionEnded } = usePortalState();
  const { online } = useNetwork();
  const state = useSound();
  const quiet = useQuiet();
  const line = () => {
    if (sessionEnded) return <EndedLine />;
    if (!online) return <OfflineLine text={t('bell.offline')} />;
    if (!connection.connected) {
      const text = t(connection.refused ? 'bell.refused' : 'bell.disconnected');
      return <StatusLine icon={<CloudOff size={20} />} text={text} />;
    }
    if (connection.endsSoon) return <EndedLine text={t('bell.endsSoon')} />;
    if (connection.titlesOnly) return <EndedLine text={t('bell.titlesOnly')} />;
    if (quiet) return null;
    if (state !== 'click' && state !== 'blocked') return null;
    const cure = (
      <Anchor component={PageLink} className="status-action" size="sm" href="/portal/settings#sound">
        {t('sound.cureLink')}
      </Anchor>
    );
    return (
      <StatusLine
        icon={<VolumeX size={20} />}
        text={t(state === 'click' ? 'sound.blockedText' : 'sound.blockedByBrowser')}
        link={state === 'blocked' ? cure : undefined}
      >
        {/* Not a link: the press would unlock the sound of a page that the browser leaves. */}
        <Button variant="filled" style={{ flexShrink: 0 }} onClick={() => void unlockSound()}>
          {t('sound.enable')}
        </Button>
      </StatusLine>
    );
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

// The portal asks at least every 10 s; only a longer silence is worth a number.
const quietS = 20;

/** Shows whether the portal reaches the service, and the seconds since its last answer if they are many. */
export function ConnectionState() {
  const t = useTranslations('bell');
  const { connection, sessionEnded } = usePortalState();
  useNow({ updateInterval: 1000 });
  const seconds = connection.checkedAt && Math.max(0, Math.round((Date.now() - connection.checkedAt) / 1000));
  const Icon = connection.connected && !sessionEnded ? Wifi : WifiOff;
  const text = () => {
    if (sessionEnded) return t('ended');
    if (!connection.connected) return t(connection.refused ? 'notLive' : 'disconnected');
    if (seconds === null) return null;
    return seconds <= quietS ? t('connected') : t('checked', { seconds });
  };
  return (
    <Group
      gap={6}
      wrap="nowrap"
      data-connection={sessionEnded ? 'ended' : connection.connected ? 'connected' : 'disconnected'}
    >
      <Icon aria-hidden size={16} />
      <Text className="fine-print">{text()}</Text>
    </Group>
  );
}
