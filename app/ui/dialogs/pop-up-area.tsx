'use client';

import { useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Toaster } from 'sonner';

// One text for the page: code outside of React announces too.
let announced = '';
const subscribers = new Set<() => void>();
const subscribe = (subscriber: () => void) => {
  subscribers.add(subscriber);
  return () => subscribers.delete(subscriber);
};

/** Lets a screen reader read a text, politely. */
export function announce(text: string): void {
  // A screen reader reads only changed text, so a repeated text gets a trailing space.
  announced = announced === text ? `${text}\u00a0` : text;
  for (const subscriber of subscribers) subscriber();
}

export function PopUpArea() {
  const t = useTranslations();
  const narrow = useMediaQuery('(max-width: 767px)');
  const area = useRef<HTMLElement>(null);
  const text = useSyncExternalStore(
    subscribe,
    () => announced,
    () => '',
  );
  // The toaster would have whole pop-ups read out. `announce` reads the title only (WCAG 4.1.3).
  useEffect(() => area.current?.setAttribute('aria-live', 'off'), []);
  return (
    <>
      <VisuallyHidden role="status" data-announcer>
        {text}
      </VisuallyHidden>
      <Toaster
        ref={area}
        theme={useComputedColorScheme('light')}
        position={narrow ? 'top-center' : 'bottom-right'}
        visibleToasts={3}
        toastOptions={{ closeButtonAriaLabel: t('form.close') }}
        expand
        closeButton
        containerAriaLabel={t('inbox.title')}
        offset={{ right: 'calc(16px + var(--safe-right))', bottom: 'calc(84px + var(--safe-bottom))' }}
        mobileOffset={{
          top: 'calc(8px + var(--header-height))',
          right: 'calc(16px + var(--safe-right))',
          bottom: 'calc(140px + var(--safe-bottom))',
          left: 'calc(16px + var(--safe-left))',
        }}
        dir="ltr"
      />
    </>
  );
}
