'use client';

import { Button, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { type BrowserFamily, rememberCard } from '#app/portal/device/browser.ts';
import { deviceState, offerInstall, onInstallable, subscribeDevice } from '#app/portal/device/device.ts';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';

type State = Awaited<ReturnType<typeof deviceState>> | 'asking' | 'failed';

export function DeviceSteps({ publicKey, family }: { publicKey: string; family: BrowserFamily }) {
  const t = useTranslations('device');
  const { person } = usePortal();
  const [state, setState] = useState<State>('asking');
  const [installable, setInstallable] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => onInstallable(setInstallable), []);
  useEffect(() => {
    deviceState(person).then(setState, () => setState('failed'));
  }, [person]);
  useEffect(() => {
    if (state === 'on') rememberCard();
  }, [state]);
  const switchOn = async () => {
    setBusy(true);
    setState(await subscribeDevice(publicKey, person).catch(() => 'failed' as const));
    setBusy(false);
  };
  const say = () => {
    if (state === 'on') return t('card.done');
    if (state === 'denied') return t('denied');
    if (state === 'failed') return t('failed');
    if (family === 'ios' && state === 'unsupported') return t('card.ios');
    if (state === 'unsupported') return t('card.unsupported');
    if (family !== 'android') return t('card.onDesktop');
    return isInstalled() ? t('card.onInstalled') : t(installable ? 'card.onAndroid' : 'card.onAndroidMenu');
  };
  const offered = state === 'off' || state === 'failed';
  return (
    <>
      <p role="status">{state === 'asking' ? '' : say()}</p>
      {offered && (
        <Group gap="xs">
          {installable && (
            <Button variant="default" onClick={() => void offerInstall()}>
              {t('card.install')}
            </Button>
          )}
          <Button loading={busy} onClick={() => void switchOn()}>
            {t('card.switchOn')}
          </Button>
        </Group>
      )}
    </>
  );
}

const isInstalled = () => matchMedia('(display-mode: standalone)').matches;
