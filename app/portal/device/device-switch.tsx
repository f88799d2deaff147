'use client';

import '#app/ui/forms/controls.css';
import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { browserFamily } from '#app/portal/device/browser.ts';
import { useDevice, useInstall } from '#app/portal/device/device.ts';

/** Switches push notifications on this device. It asks for permission only when it is pressed. */
export function DeviceSwitch() {
  const t = useTranslations('device');
  const { state, busy, choose } = useDevice();
  const install = useInstall();
  const isPhone = (family: 'ios' | 'android') => browserFamily(navigator.userAgent) === family;
  const needsHomeScreen = state === 'unsupported' && isPhone('ios');
  const isPage = state === 'off' && isPhone('android') && !matchMedia('(display-mode: standalone)').matches;
  return (
    <Stack gap="sm">
      <Switch
        label={t('switch')}
        description={t('explain')}
        checked={state === 'on'}
        disabled={busy || state === 'asking' || state === 'unsupported' || state === 'denied'}
        onChange={(event) => void choose(event.currentTarget.checked)}
      />
      <div role="status">
        {state === 'on' && <Text size="sm">{t('done')}</Text>}
        {state === 'denied' && <Alert color="yellow">{t('denied')}</Alert>}
        {state === 'failed' && <Alert color="red">{t('failed')}</Alert>}
        {needsHomeScreen && <Alert color="blue">{t('ios')}</Alert>}
        {isPage && <Text size="sm">{t('android')}</Text>}
        {state === 'unsupported' && !needsHomeScreen && <Alert color="gray">{t('unsupported')}</Alert>}
      </div>
      {install && (
        <Group>
          <Button variant="default" onClick={() => void install()}>
            {t('install')}
          </Button>
          <Text className="fine-print">{t('installHint')}</Text>
        </Group>
      )}
    </Stack>
  );
}
