'use client';

import { Anchor } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { BellRing, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type BrowserFamily, rememberCard } from '#app/portal/device/browser.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';

const DeviceSwitch = whenNeeded(() => import('#app/portal/device/device-switch.tsx'), 'DeviceSwitch', { height: 96 });

/** Offers to install the portal and to switch on its notifications, until it is closed or done. */
export function DeviceCard({ family }: { family: BrowserFamily }) {
  const t = useTranslations();
  const [closed, setClosed] = useState(false);
  const [opened, { toggle }] = useDisclosure();
  if (closed) return null;
  const title = t(family === 'ios' || family === 'android' ? 'device.card.phone' : 'device.card.desktop');
  const close = () => {
    rememberCard();
    setClosed(true);
  };
  return (
    <section aria-label={title}>
      <div className="notice-line" data-tone="calm">
        <BellRing />
        <Anchor
          component="button"
          fz="var(--type-13)"
          flex={1}
          c="inherit"
          ta="start"
          mih={44}
          aria-expanded={opened}
          onClick={toggle}
        >
          {title}
        </Anchor>
        <button type="button" className="icon-button" aria-label={t('form.close')} onClick={close}>
          <X />
        </button>
      </div>
      {opened && <DeviceSwitch />}
    </section>
  );
}
