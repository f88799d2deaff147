import { Button, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { type BrowserFamily, rememberCard } from '#app/portal/device/browser.ts';
import { offerInstall, useDevice, useInstallable } from '#app/portal/device/device.ts';

export function DeviceSteps({ publicKey, family }: { publicKey: string; family: BrowserFamily }) {
  const t = useTranslations('device');
  const { state, busy, choose } = useDevice(publicKey);
  const installable = useInstallable();
  useEffect(() => {
    if (state === 'on') rememberCard();
  }, [state]);
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
          <Button loading={busy} onClick={() => void choose(true)}>
            {t('card.switchOn')}
          </Button>
        </Group>
      )}
    </>
  );
}

const isInstalled = () => matchMedia('(display-mode: standalone)').matches;
