'use client';

import { useNetwork } from '@mantine/hooks';
import { Siren } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { type AlarmDevice, renewAlarms } from '#app/owner/alarms/alarm-device.ts';
import { useAlarms } from '#app/owner/alarms/use-alarms.ts';
import { useOfflineGuard } from '#app/owner/alarms/use-offline-guard.ts';
import { EndedLine, OfflineLine } from '#app/ui/frame/status-line.tsx';
import { PageLink } from '#app/ui/text/page-link.tsx';

const home = '/owner';

/**
 * One line above the page with the number of active alarms; it leads to the home page, which has
 * their cards and therefore no line. The line is a part of the page and covers nothing. For an owner
 * without a portal (`hasNoPortal`), it also says that the page is offline or that the session has
 * ended. Otherwise the portal says so. It also renews the alarms of this `device` after a sign-in.
 */
export function AlarmBar({ hasNoPortal = false, device }: { hasNoPortal?: boolean; device: AlarmDevice }) {
  const t = useTranslations('alarms');
  const { online } = useNetwork();
  useOfflineGuard();
  const router = useRouter();
  const { account, sessionId } = device;
  useEffect(() => {
    renewAlarms({ account, sessionId }).then(
      (isRenewed) => isRenewed && router.refresh(),
      () => {},
    );
  }, [account, sessionId, router]);
  const isHome = usePathname() === home;
  const { alarms, guessing, ended } = useAlarms(hasNoPortal || !isHome);
  const count = alarms.length + (guessing ? 1 : 0);
  return (
    <>
      <div role="alert">
        {!isHome && count > 0 && (
          <PageLink href={home} className="alarm-line" data-alarm-line>
            <Siren aria-hidden size={18} />
            <span>{t('line', { count })}</span>
            <u>{t('look')}</u>
          </PageLink>
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
