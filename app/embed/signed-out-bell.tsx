'use client';

import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useContext, useEffect, useState } from 'react';
import { openBellAction } from '#app/embed/actions.ts';
import { BellWithPanel, PageContext } from '#app/embed/bell-frame.tsx';

const askMs = 1000;
const maxSignInMs = 10 * 60_000;

// A secret of this frame, and its SHA-256, which the address of the window says. Both in base64url.
function useSecret(): [secret: string, code: string] {
  const [made, setMade] = useState<[string, string]>(['', '']);
  useEffect(() => {
    const asText = (bytes: Uint8Array) =>
      btoa(String.fromCharCode(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
    const secret = asText(crypto.getRandomValues(new Uint8Array(32)));
    // Ready before the press, because browsers open windows only at once.
    void crypto.subtle
      .digest('SHA-256', new TextEncoder().encode(secret))
      .then((hash) => setMade([secret, asText(new Uint8Array(hash))]));
  }, []);
  return made;
}

/**
 * The bell of a person who is not signed in here: they sign in in a window of this origin. An owner
 * without an employee's account has no inbox.
 */
export function SignedOutBell({ hasNoInbox = false }: { hasNoInbox?: boolean }) {
  const t = useTranslations('embed');
  const page = useContext(PageContext);
  const [isBlocked, setIsBlocked] = useState(false);
  const [secret, code] = useSecret();
  const [isWaiting, setIsWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    // One after another: the second would find the cookie that the first one brings.
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
