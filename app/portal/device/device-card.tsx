'use client';

import { Alert, Button } from '@mantine/core';
import { BellRing } from 'lucide-react';
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
  const title = t(family === 'ios' || family === 'android' ? 'phone' : 'desktop');
  const close = () => {
    rememberCard();
    setClosed(true);
  };
  return (
    <Alert
      role="region"
      aria-label={title}
      title={title}
      icon={<BellRing aria-hidden />}
      mb="sm"
      py="xs"
      withCloseButton
      closeButtonLabel={form('close')}
      styles={{ closeButton: { width: 44, height: 44 } }}
      onClose={close}
    >
      {opened ? (
        <DeviceSwitch publicKey={publicKey} />
      ) : (
        <Button variant="subtle" px={0} my={-8} onClick={() => setOpened(true)}>
          {t('open')}
        </Button>
      )}
    </Alert>
  );
}
