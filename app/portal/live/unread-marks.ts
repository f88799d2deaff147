'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { shortCount } from '#app/portal/notification/unread-count.ts';

/**
 * Shows the unread count outside of the page: in the tab's title, as a dot on its icon, and on the
 * icon of the app.
 */
export function useUnreadMarks(unread: number): void {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page has no mark
  useEffect(() => {
    const show = () => {
      markTitle(unread);
      markIcon(unread > 0);
    };
    show();
    const observer = new MutationObserver(show);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [unread, pathname]);
  useEffect(() => {
    // Only installed apps have a badge.
    if (unread > 0) navigator.setAppBadge?.(unread).catch(() => {});
    else navigator.clearAppBadge?.().catch(() => {});
  }, [unread]);
}

function markTitle(unread: number): void {
  const plain = document.title.replace(/^\(\d+\+?\) /, '');
  const marked = unread > 0 ? `(${shortCount(unread)}) ${plain}` : plain;
  if (document.title !== marked) document.title = marked;
}

const iconWithDot = '/icon-unread.svg';

function markIcon(marked: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel~=icon][type="image/svg+xml"]');
  if (!icon) return;
  icon.dataset.plain ??= icon.getAttribute('href') ?? '';
  const href = marked ? iconWithDot : icon.dataset.plain;
  if (icon.getAttribute('href') !== href) icon.setAttribute('href', href);
}
