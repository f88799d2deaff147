'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';

const most = 99;

/** How far the server counts; so many means so many or more. */
export const mostCounted = 1000;

/** Shows the unread count wherever the page is not seen itself: in its title, as a dot on its icon, on the app's icon. */
export function useUnreadMarks(unread: number): void {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page brings a new title and icon, which need the count again
  useEffect(() => {
    const show = () => {
      markTitle(unread);
      markIcon(unread > 0);
    };
    show();
    const watcher = new MutationObserver(show);
    watcher.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => watcher.disconnect();
  }, [unread, pathname]);
  useEffect(() => {
    // Installed apps only; refused elsewhere.
    if (unread > 0) navigator.setAppBadge?.(unread).catch(() => {});
    else navigator.clearAppBadge?.().catch(() => {});
  }, [unread]);
}

function markTitle(unread: number): void {
  const bare = document.title.replace(/^\(\d+\+?\) /, '');
  const wanted = unread > 0 ? `(${unread > most ? `${most}+` : unread}) ${bare}` : bare;
  if (document.title !== wanted) document.title = wanted;
}

const dotted = '/icon-unread.svg';

function markIcon(marked: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel~=icon][type="image/svg+xml"]');
  if (!icon) return;
  icon.dataset.plain ??= icon.getAttribute('href') ?? '';
  const wanted = marked ? dotted : icon.dataset.plain;
  if (icon.getAttribute('href') !== wanted) icon.setAttribute('href', wanted);
}
