'use client';

import { Anchor, Button, Group, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { CloudOff, VolumeX, Wifi, WifiOff } from 'lucide-react';
import { useNow, useTranslations } from 'next-intl';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { usePortalState, useQuiet, useSound } from '#app/portal/live/store/portal-context.tsx';
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
    const cure = state === 'blocked' && (
      <Anchor component={PageLink} className="status-action" size="sm" href="/portal/settings#sound">
        {t('sound.cureLink')}
      </Anchor>
    );
    const text = t(cure ? 'sound.blockedByBrowser' : 'sound.blockedText');
    return (
      <StatusLine icon={<VolumeX size={20} />} text={text} link={cure}>
        {/* Not a link: the press would unlock the sound of a page that the browser leaves. */}
        <Button variant="filled" style={{ flexShrink: 0 }} onClick={() => void unlockSound()}>
          {t('sound.enable')}
        </Button>
      </StatusLine>
    );
  };
  const waits = (!sessionEnded && online && connection.connected) || undefined;
  return (
    <div role="status" className="status-bar" data-waits={waits}>
      {line()}
    </div>
  );
}

// The portal asks at least every 10 s; only a longer silence is worth a number.
const quietS = 20;

/** Shows whether the portal reaches the service, and the seconds since its last answer if they are many. */
export function ConnectionState() {
  const t = useTranslations('bell');
  const { connection, sessionEnded } = usePortalState();
  useNow({ updateInterval: 1000 });
  const state = sessionEnded ? 'ended' : connection.connected ? 'connected' : 'disconnected';
  const seconds = connection.checkedAt && Math.max(0, Math.round((Date.now() - connection.checkedAt) / 1000));
  const Icon = state === 'connected' ? Wifi : WifiOff;
  const text = () => {
    if (state === 'disconnected' && connection.refused) return t('notLive');
    if (state !== 'connected') return t(state);
    if (seconds === null) return null;
    return seconds <= quietS ? t('connected') : t('checked', { seconds });
  };
  return (
    <Group gap={6} wrap="nowrap" data-connection={state}>
      <Icon aria-hidden size={16} />
      <Text className="fine-print">{text()}</Text>
    </Group>
  );
}
