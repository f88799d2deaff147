'use client';

import { Button, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { offerToBellAction } from '#app/embed/actions.ts';

/** Asks before the bell gets the session: somebody else may have sent the person this address. */
export function HandOver({ code, origin }: { code: string; origin: string }) {
  const t = useTranslations();
  const [state, setState] = useState<'asks' | 'connected' | 'failed'>('asks');
  const offer = async () => {
    const result = await offerToBellAction({ code, origin }).catch(() => null);
    const isOffered = result !== null && 'value' in result;
    setState(isOffered ? 'connected' : 'failed');
    if (isOffered) window.close();
  };
  if (state === 'connected') return <Text mt="md">{t('embed.connected')}</Text>;
  return (
    <>
      <Text fw={700} mt="md" className="wrapping">
        {new URL(origin).host}
      </Text>
      <Text mt="xs" mb="md">
        {t('embed.ask')}
      </Text>
      {state === 'failed' && <Text role="alert">{t('form.failed')}</Text>}
      <Button onClick={() => void offer()}>{t('embed.connect')}</Button>
    </>
  );
}
