'use client';

import { Box, Button, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { offerToBellAction } from '#app/embed/actions.ts';
import { LoginForm } from '#app/login/login-form.tsx';
import type { SignInOptions } from '#app/login/passkey-sign-in.tsx';
import { tellPages } from '#app/signed-in/session-channel.ts';

// A double press in another page ends on this window, which was opened between the two.
const deafMs = 500;

const OpenedByBell = createContext(false);

/** Keeps what the first request of this window said: whether a bell in the named page opened it. */
export function BellWindow({ isOpenedByBell, children }: { isOpenedByBell: boolean; children: ReactNode }) {
  const [first] = useState(isOpenedByBell);
  return <OpenedByBell value={first}>{children}</OpenedByBell>;
}

/** The sign-in of the window of a bell. It never leaves its page: the browser would forget which frame opened it. */
export function SignInHere({ passkeys }: { passkeys: SignInOptions | null }) {
  const router = useRouter();
  const goOn = async () => {
    router.refresh();
    return true;
  };
  return (
    <Box mt="md">
      <LoginForm returnTo="/portal" passkeys={passkeys} onSignedIn={goOn} />
    </Box>
  );
}

// The frame of a bell in the named page that opened this window. Null also where that page cut itself off from it.
function findFrame(origin: string): Window | null {
  try {
    const frame = window.opener as Window | null;
    const { pathname, search } = frame?.location ?? {};
    return pathname === '/embed' && new URLSearchParams(search).get('origin') === origin ? frame : null;
  } catch {
    // A page of another origin.
    return null;
  }
}

/** Asks before the bell gets the session: its frame gets a ticket; a person types a code where none can be reached. */
export function HandOver({ code, origin }: { code: string; origin: string }) {
  const t = useTranslations();
  const isOpenedByBell = useContext(OpenedByBell);
  const [state, setState] = useState<'deaf' | 'asks' | 'alone' | 'connected' | 'failed'>('deaf');
  const [typed, setTyped] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setState(isOpenedByBell || findFrame(origin) ? 'asks' : 'alone'), deafMs);
    return () => clearTimeout(timer);
  }, [origin, isOpenedByBell]);
  const offer = async () => {
    const frame = findFrame(origin);
    const result = await offerToBellAction({ code, origin, isTyped: frame === null }).catch(() => null);
    if (!result || 'problems' in result) return setState('failed');
    setState('connected');
    if (!frame) return setTyped(result.value);
    frame.postMessage({ ticket: result.value }, location.origin);
    window.close();
  };
  if (typed)
    return (
      <>
        <Text mt="md">{t('embed.typeThere', { host: new URL(origin).host })}</Text>
        <Text fz="var(--type-28)" fw={700} my="sm" data-bell-code>
          {typed}
        </Text>
        <Text>{t('embed.keepCode')}</Text>
      </>
    );
  if (state === 'connected') return <Text mt="md">{t('embed.connected')}</Text>;
  if (state === 'alone') return <Text mt="md">{t('embed.alone')}</Text>;
  return (
    <>
      <Text fw={700} mt="md" className="wrapping">
        {new URL(origin).host}
      </Text>
      <Text mt="xs" mb="md">
        {t('embed.ask')}
      </Text>
      {state === 'failed' && <Text role="alert">{t('form.failed')}</Text>}
      <Button disabled={state === 'deaf'} onClick={() => void offer()}>
        {t('embed.connect')}
      </Button>
    </>
  );
}

/** Closes this window: the bells in pages of this service have the session of the browser. */
export function Connected() {
  useEffect(() => {
    tellPages('bell-signed-in');
    window.close();
  }, []);
  return null;
}
