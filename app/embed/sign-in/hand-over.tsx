'use client';

import { Button, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { offerToBellAction } from '#app/embed/actions.ts';

// A double press in another page ends on this window, which was opened between the two.
const deafMs = 500;

/**
 * The frame of the bell that opened this window, if it is one of this service in the page that is named. Only it
 * gets the ticket: somebody else may have sent the person this address.
 */
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

/** Gives the frame the ticket, or tells it that it has the session already (`''`), and closes this window. */
function tellFrame(frame: Window, ticket: string): void {
  frame.postMessage({ ticket }, location.origin);
  window.close();
}

/** Asks before the bell gets the session. */
export function HandOver({ code, origin }: { code: string; origin: string }) {
  const t = useTranslations();
  const [state, setState] = useState<'deaf' | 'asks' | 'alone' | 'connected' | 'failed'>('deaf');
  useEffect(() => {
    const timer = setTimeout(() => setState(findFrame(origin) ? 'asks' : 'alone'), deafMs);
    return () => clearTimeout(timer);
  }, [origin]);
  const offer = async () => {
    const result = await offerToBellAction({ code, origin }).catch(() => null);
    const frame = findFrame(origin);
    if (!frame || !result || 'problems' in result) return setState('failed');
    setState('connected');
    tellFrame(frame, result.value);
  };
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

/** Tells the frame of a bell in a page of this service that it may load again. */
export function Connected({ origin }: { origin: string }) {
  useEffect(() => {
    const frame = findFrame(origin);
    if (frame) tellFrame(frame, '');
  }, [origin]);
  return null;
}
