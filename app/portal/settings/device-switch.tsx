'use client';

import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { browserFamily } from '#app/portal/device/browser.ts';
import { offerInstall, renewDevice, useDevice, useInstallable } from '#app/portal/device/device.ts';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';
import { PasswordForm } from '#app/ui/sessions/password-form.tsx';

/** Switches push notifications on this device. It asks for permission only when it is pressed. */
export function DeviceSwitch({ publicKey }: { publicKey: string }) {
  const t = useTranslations('device');
  const { state, busy, choose } = useDevice(publicKey);
  const needsHomeScreen = state === 'unsupported' && browserFamily(navigator.userAgent) === 'ios';
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
        {state === 'denied' && <Alert color="yellow">{t('denied')}</Alert>}
        {state === 'failed' && <Alert color="red">{t('failed')}</Alert>}
        {needsHomeScreen && <Alert color="blue">{t('ios')}</Alert>}
        {state === 'unsupported' && !needsHomeScreen && <Alert color="gray">{t('unsupported')}</Alert>}
      </div>
      <InstallButton />
    </Stack>
  );
}

function InstallButton() {
  const t = useTranslations('device');
  if (!useInstallable()) return null;
  return (
    <Group>
      <Button variant="default" onClick={() => void offerInstall()}>
        {t('install')}
      </Button>
      <Text className="fine-print">{t('installHint')}</Text>
    </Group>
  );
}

/** The password form of an employee. The new session takes over this device's push subscription. */
export function PortalPasswordForm({ username }: { username: string }) {
  const { person } = usePortal();
  return <PasswordForm username={username} onChanged={() => void renewDevice(person, true).catch(() => {})} />;
}
