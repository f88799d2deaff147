'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { makeBellTicketAction } from '#app/embed/actions.ts';

/**
 * Passes a ticket to the frame that opened this window, and closes it. Only a frame of this origin can
 * receive it. A sign-in at a provider separates the window from the frame: then the person presses there again.
 */
export function HandOver() {
  const t = useTranslations('embed');
  const [isAlone, setIsAlone] = useState(false);
  useEffect(() => {
    const opener: Window | null = window.opener;
    if (!opener) return setIsAlone(true);
    void makeBellTicketAction({}).then((result) => {
      if (!('value' in result)) return setIsAlone(true);
      opener.postMessage(result.value, location.origin);
      window.close();
    });
  }, []);
  return <Text mt="md">{t(isAlone ? 'pressAgain' : 'connecting')}</Text>;
}
