import { useDocumentVisibility, useInterval, useNetwork, useWindowEvent } from '@mantine/hooks';
import { Siren } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useCallback, useEffect, useState } from 'react';
import type { ActiveAlarms } from '#app/owner/alarms/active-alarms.ts';
import { type AlarmDevice, renewAlarms } from '#app/owner/alarms/alarm-device.ts';
import { NoticeLine } from '#app/ui/frame/notice-line.tsx';
import { EndedLine, OfflineLine } from '#app/ui/frame/status-line.tsx';

/** At this hash the home page shows the cards of its alarms. */
export const alarmsHash = '#alarms';

type Props = { initial: ActiveAlarms; hasNoPortal?: boolean; device: AlarmDevice };

/**
 * A line with the number of active alarms, on every page but the home page, to whose cards it leads. For an owner
 * without a portal (`hasNoPortal`), it also says that the page is offline or that the session has ended; else the
 * portal says so. Renews the alarms of this `device` after a sign-in.
 */
export function AlarmBar({ initial, hasNoPortal = false, device }: Props) {
  const t = useTranslations('alarms');
  const { online } = useNetwork();
  useOfflineGuard();
  const router = useRouter();
  const { account, sessionId } = device;
  useEffect(() => {
    const renewed = renewAlarms({ account, sessionId }).catch(() => false);
    void renewed.then((isRenewed) => isRenewed && router.refresh());
  }, [account, sessionId, router]);
  const isHome = usePathname() === '/owner';
  const { alarms, guessing, ended } = useAlarms(initial, hasNoPortal || !isHome);
  const count = alarms.length + (guessing ? 1 : 0);
  return (
    <>
      <div role="alert">
        {!isHome && count > 0 && (
          <NoticeLine href={`/owner${alarmsHash}`} icon={<Siren />} see={t('look')} data-alarm-line>
            {t('line', { count })}
          </NoticeLine>
        )}
      </div>
      {hasNoPortal && (
        <div className="status-bar" role="status">
          {ended ? <EndedLine /> : !online && <OfflineLine text={t('offline')} />}
        </div>
      )}
    </>
  );
}

// Keeps the page while this browser is offline: what a person wants to open opens when the network is back.
function useOfflineGuard(): void {
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
    // When a request of its router fails, Next loads the other page as a whole. This stops that.
    const onNavigate = (event: NavigateEvent) => {
      const { url, sameDocument } = event.destination;
      if (!navigator.onLine && !sameDocument && !event.hashChange && event.cancelable) wait(event, url);
    };
    const goOn = () => wanted && location.assign(wanted);
    const left = new AbortController();
    const { signal } = left;
    addEventListener('click', onClick, { capture: true, signal });
    // Older browsers have no `navigation`.
    (window.navigation as Navigation | undefined)?.addEventListener('navigate', onNavigate, { signal });
    addEventListener('online', goOn, { signal });
    return () => left.abort();
  }, []);
}

const changed = 'alarms-changed';

/** Makes every part of the page that shows alarms ask for them at once. */
export const reloadAlarms = (): boolean => dispatchEvent(new Event(changed));

/** The active alarms: `initial`, then polled if `active`, every 5 s (hidden: 30 s). `ended`: the session has ended. */
export function useAlarms(initial: ActiveAlarms, active = true): ActiveAlarms & { ended: boolean } {
  const [answer, setAnswer] = useState(initial);
  const [ended, setEnded] = useState(false);
  const load = useCallback(async () => {
    const response = await fetch('/owner/alarms', { cache: 'no-store' }).catch(() => null);
    // Keeps the known alarms while the server does not answer.
    if (!response || (!response.ok && response.status !== 401)) return;
    setEnded(response.status === 401);
    setAnswer((await response.json()) as ActiveAlarms);
  }, []);
  const isHidden = useDocumentVisibility() === 'hidden';
  const poll = () => void (active && load());
  useInterval(poll, isHidden ? 30_000 : 5000, { autoInvoke: true });
  useWindowEvent(changed, poll);
  useEffect(() => {
    if (active && !isHidden) void load();
  }, [load, active, isHidden]);
  return { ...answer, ended };
}
