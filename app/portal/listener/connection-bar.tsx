'use client';

import { Alert, Anchor, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useListener } from '#app/portal/listener/listener.tsx';

/** Says when the portal cannot hear, and why. */
export function ConnectionBar() {
  const t = useTranslations('bell');
  const { connection } = useListener();
  return (
    <div role="status">
      {connection !== 'connected' && (
        <Alert color={connection === 'ended' ? 'red' : 'gray'} mb="md">
          <Group justify="space-between">
            {t(connection)}
            {connection === 'ended' && <Anchor href="/login">{t('signIn')}</Anchor>}
          </Group>
        </Alert>
      )}
    </div>
  );
}
