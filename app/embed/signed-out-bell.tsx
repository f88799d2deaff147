'use client';

import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useContext, useEffect, useState } from 'react';
import { openBellAction } from '#app/embed/actions.ts';
import { BellWithPanel, PageContext } from '#app/embed/bell-frame.tsx';
import type { FrameSecret } from '#server/accounts/sessions/bell-offer.ts';

const askMs = 1000;
const maxSignInMs = 10 * 60_000;

/** The bell of a person who is not signed in: a window of this origin signs in. An owner may have no inbox. */
export function SignedOutBell({ secret, code, hasNoInbox = false }: FrameSecret & { hasNoInbox?: boolean }) {
  const t = useTranslations('embed');
  const page = useContext(PageContext);
  const [isBlocked, setIsBlocked] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    // One request at a time: a second one would not have the cookie yet that the first one sets, and fail.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const until = performance.now() + maxSignInMs;
    const ask = async () => {
      const opened = await openBellAction({ secret, origin: page.origin }).catch(() => null);
      if (!opened || 'problems' in opened) {
        if (performance.now() < until) timer = setTimeout(() => void ask(), askMs);
        return;
      }
      const reads = await fetch('/portal/inbox?limit=1', { cache: 'no-store' }).catch(() => null);
      if (reads?.ok) location.reload();
      else setIsBlocked(true);
      setIsWaiting(false);
    };
    void ask();
    return () => clearTimeout(timer);
  }, [isWaiting, secret, page.origin]);
  const signIn = () => {
    const query = new URLSearchParams({ code, origin: page.origin });
    window.open(`/embed/sign-in?${query}`, 'staff-notifications', 'popup,width=440,height=680');
    setIsWaiting(true);
  };
  return (
    <BellWithPanel
      count={0}
      label={hasNoInbox ? undefined : t('signedOutLabel')}
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
