'use client';

import { Group } from '@mantine/core';
import { BellIcon, Moon, Volume2, VolumeOff, VolumeX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { asClock } from '#app/portal/live/quiet/quiet.ts';
import { usePortalState, useQuiet, useSound } from '#app/portal/live/store/portal-context.tsx';
import { maxUnread, shortCount } from '#app/portal/live/store/portal-state.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { HeaderMenu } from '#app/ui/frame/header-menu.tsx';
import { PageLink } from '#app/ui/text/links.tsx';

/** The unread count. A phone shows it in the menu at its foot. */
export function UnreadCount() {
  const t = useTranslations('bell');
  const { count } = usePortalState().unread;
  return (
    <>
      {count > 0 && (
        <span aria-hidden className="unread-badge">
          {shortCount(count)}
        </span>
      )}
      <span className="unseen">{t('label', { count: Math.min(count, maxUnread) })}</span>
    </>
  );
}

/** What an employee has in the header: the sound and the unread count. */
export function BellTools() {
  return (
    <Group gap="0.5rem" wrap="nowrap" className="frame-bell">
      <SoundButton />
      <PageLink href="/portal/notifications" className="icon-button" style={{ position: 'relative' }}>
        <UnreadCount />
        <BellIcon size={22} />
      </PageLink>
    </Group>
  );
}

const SoundMenu = whenNeeded(() => import('#app/portal/live/controls/sound-panel.tsx'), 'SoundMenu', { height: 240 });

// The state of the sound as an icon. It opens what changes it.
function SoundButton() {
  const t = useTranslations('sound');
  const [opened, setOpened] = useState(false);
  const state = useSound();
  const quiet = useQuiet();
  const audible = state === 'on' || state === undefined;
  const Icon = quiet ? Moon : audible ? Volume2 : state === 'muted' ? VolumeOff : VolumeX;
  const texts = [t('title'), state && t(state), quiet && t('quietUntil', { time: asClock(quiet.untilMinute) })];
  return (
    <HeaderMenu
      label={texts.filter(Boolean).join(' · ')}
      icon={<Icon aria-hidden size={20} data-sound={state} />}
      opened={opened}
      onChange={setOpened}
    >
      <SoundMenu onFollow={() => setOpened(false)} />
    </HeaderMenu>
  );
}
