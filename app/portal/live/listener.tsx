'use client';

import { Group } from '@mantine/core';
import { BellIcon, Moon, Volume2, VolumeOff, VolumeX } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import { prepareDevice, renewDevice } from '#app/portal/device/device.ts';
import { StatusBar } from '#app/portal/live/controls/status-bar.tsx';
import { usePopUps } from '#app/portal/live/popups/pop-ups.tsx';
import { asClock } from '#app/portal/live/quiet/quiet.ts';
import { whenWorkerSays } from '#app/portal/live/store/browser-events.ts';
import { PortalProvider, usePortalState, useQuiet, useSound } from '#app/portal/live/store/portal-context.tsx';
import { type InitialPortal, maxUnread, shortCount } from '#app/portal/live/store/portal-state.ts';
import { PortalStore } from '#app/portal/live/store/portal-store.ts';
import { markReady } from '#app/theme/theme-provider.tsx';
import { PopUpArea } from '#app/ui/dialogs/pop-up-area.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { HeaderMenu } from '#app/ui/frame/header-menu.tsx';
import { PageLink } from '#app/ui/text/links.tsx';

type Props = { initial: InitialPortal; isOwner: boolean; children: ReactNode };

/** Listens for the employee's notifications while a page is open, rings, and opens pop-ups. */
export function Listener({ initial, isOwner, children }: Props) {
  const [portal] = useState(() => new PortalStore(initial));
  const popUps = usePopUps(portal);
  const { unread, preferences } = initial;
  // In this order: starting the store may open the first pop-up.
  useEffect(() => {
    portal.popUps = popUps;
  }, [portal, popUps]);
  useEffect(() => portal.refresh(unread, preferences), [portal, unread, preferences]);
  useEffect(() => portal.start(), [portal]);
  // The list shows what the pop-ups say.
  const isList = usePathname() === '/portal/notifications';
  useEffect(() => {
    if (isList) portal.popUps.clear();
  }, [portal, isList]);
  useEffect(markReady, []);
  useEffect(() => {
    prepareDevice();
    const renew = () => void renewDevice(portal.initial, isOwner).catch(() => {});
    renew();
    return whenWorkerSays('subscription-changed', renew);
  }, [portal, isOwner]);
  return (
    <PortalProvider value={portal}>
      <UnreadMarks />
      {children}
      <StatusBar />
      <PopUpArea />
    </PortalProvider>
  );
}

/** Shows the unread count in the tab's title, as a dot on its icon, and on the app's icon. */
function UnreadMarks() {
  const { unread: counted, sessionEnded } = usePortalState();
  const unread = sessionEnded ? 0 : counted.count;
  useEffect(() => {
    const show = () => {
      markTitle(unread);
      markIcon(unread > 0);
    };
    show();
    const observer = new MutationObserver(show);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [unread]);
  useEffect(() => {
    // Only installed apps have a badge.
    if (unread > 0) navigator.setAppBadge?.(unread).catch(() => {});
    else navigator.clearAppBadge?.().catch(() => {});
  }, [unread]);
  return null;
}

function markTitle(unread: number): void {
  const plain = document.title.replace(/^\(\d+\+?\) /, '');
  const marked = unread > 0 ? `(${shortCount(unread)}) ${plain}` : plain;
  if (document.title !== marked) document.title = marked;
}

function markIcon(marked: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel~=icon][type="image/svg+xml"]');
  if (!icon) return;
  icon.dataset.plain ??= icon.getAttribute('href') ?? '';
  const href = marked ? '/icon-unread.svg' : icon.dataset.plain;
  if (icon.getAttribute('href') !== href) icon.setAttribute('href', href);
}

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
  const state = useSound();
  const quiet = useQuiet();
  const audible = state === 'on' || state === undefined;
  const Icon = quiet ? Moon : audible ? Volume2 : state === 'muted' ? VolumeOff : VolumeX;
  const texts = [t('title'), state && t(state), quiet && t('quietUntil', { time: asClock(quiet.untilMinute) })];
  return (
    <HeaderMenu label={texts.filter(Boolean).join(' · ')} icon={<Icon aria-hidden size={20} data-sound={state} />}>
      {(close) => <SoundMenu onFollow={close} />}
    </HeaderMenu>
  );
}
