'use client';

import '#app/portal/device/device-card.css';
import { BellRing, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type BrowserFamily, rememberCard } from '#app/portal/device/browser.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';

const DeviceSwitch = whenNeeded(() => import('#app/portal/device/device-switch.tsx'), 'DeviceSwitch', { height: 96 });

/**
 * Offers to install the portal and to switch on this device's notifications. It is shown until it
 * is closed or done, once for each browser. `family` is the server's, so that nothing moves.
 */
export function DeviceCard({ publicKey, family }: { publicKey: string; family: BrowserFamily }) {
  const t = useTranslations('device.card');
  const form = useTranslations('form');
  const [closed, setClosed] = useState(false);
  const [opened, setOpened] = useState(false);
  if (closed) return null;
  const onPhone = family === 'ios' || family === 'android';
  return (
    <section className="device-card" aria-labelledby="device-card">
      <BellRing aria-hidden size={22} strokeWidth={1.75} />
      <div>
        <h2 id="device-card">{t(onPhone ? 'phone' : 'desktop')}</h2>
        {opened ? (
          <DeviceSwitch publicKey={publicKey} />
        ) : (
          <button type="button" className="device-open" onClick={() => setOpened(true)}>
            {t('open')}
          </button>
        )}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={form('close')}
        onClick={() => {
          rememberCard();
          setClosed(true);
        }}
      >
        <X aria-hidden size={18} />
      </button>
    </section>
  );
}
