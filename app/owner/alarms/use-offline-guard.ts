import { useEffect } from 'react';

type Navigating = EventTarget & { addEventListener(type: 'navigate', listener: (event: Navigate) => void): void };
type Navigate = Event & { hashChange: boolean; destination: { url: string; sameDocument: boolean } };

/**
 * Keeps the page while this browser is offline: what a person wants to open meanwhile opens when
 * the network is back. A page that is opened offline is the offline page of the service worker.
 */
export function useOfflineGuard(): void {
  useEffect(() => {
    if ('serviceWorker' in navigator) navigator.serviceWorker.register('/service-worker.js').catch(() => {});
    let wanted: string | null = null;
    const wait = (event: Event, href: string) => {
      event.preventDefault();
      event.stopPropagation();
      wanted = href;
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href]');
      if (navigator.onLine || !link || link.target || event.button !== 0 || event.ctrlKey || event.metaKey) return;
      const isHere = link.pathname + link.search === location.pathname + location.search;
      if (link.origin === location.origin && !(isHere && link.hash)) wait(event, link.href);
    };
    // What Next does where a request of its router fails: it loads the other page as a whole.
    const onNavigate = (event: Navigate) => {
      const { url, sameDocument } = event.destination;
      if (!navigator.onLine && !sameDocument && !event.hashChange && event.cancelable) wait(event, url);
    };
    const goOn = () => wanted && location.assign(wanted);
    const { navigation } = window as { navigation?: Navigating };
    addEventListener('click', onClick, true);
    navigation?.addEventListener('navigate', onNavigate);
    addEventListener('online', goOn);
    return () => {
      removeEventListener('click', onClick, true);
      navigation?.removeEventListener('navigate', onNavigate as (event: Event) => void);
      removeEventListener('online', goOn);
    };
  }, []);
}
