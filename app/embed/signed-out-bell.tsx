'use client';

import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { openBellAction } from '#app/embed/actions.ts';
import { BellWithPanel } from '#app/embed/bell-frame.tsx';

/**
 * The bell of a person who is not signed in here: they sign in in a window of this origin. An owner
 * without an employee's account has no inbox.
 */
export function SignedOutBell({ hasNoInbox = false }: { hasNoInbox?: boolean }) {
  const t = useTranslations('embed');
  const [isBlocked, setIsBlocked] = useState(false);
  const receive = async ({ origin, data }: MessageEvent) => {
    if (origin !== location.origin || typeof data?.ticket !== 'string') return;
    await openBellAction({ ticket: data.ticket });
    const reads = await fetch('/portal/inbox?limit=1', { cache: 'no-store' });
    if (reads.ok) location.reload();
    else setIsBlocked(true);
  };
  useWindowEvent('message', (event) => void receive(event).catch(() => setIsBlocked(true)));
  const signIn = () => window.open('/embed/sign-in', 'staff-notifications', 'popup,width=440,height=680');
  return (
    <BellWithPanel
      count={0}
      panel={
        <Stack p="md" gap="sm">
          <Text>{t(hasNoInbox ? 'noInbox' : 'signedOut')}</Text>
          {!hasNoInbox && <Button onClick={signIn}>{t('signIn')}</Button>}
          {isBlocked && (
            <Text size="sm" role="alert">
              {t('blocked')}{' '}
              <Anchor href="/portal" target="_blank" rel="noopener">
                {t('openPortal')}
              </Anchor>
            </Text>
          )}
        </Stack>
      }
    />
  );
}
