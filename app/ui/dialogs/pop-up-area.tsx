'use client';

import { useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Toaster } from 'sonner';

let announced = '';
const watchers = new Set<() => void>();
const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** Has a screen reader say a text when it has time. */
export function announce(text: string): void {
  // The same text again is no change to a screen reader.
  announced = announced === text ? `${text}\u00a0` : text;
  for (const watcher of watchers) watcher();
}

/**
 * Where pop-ups appear: bottom right, on phones at the top, above menu and status bar either way.
 */
export function PopUpArea() {
  const t = useTranslations();
  const narrow = useMediaQuery('(max-width: 767px)');
  const area = useRef<HTMLElement>(null);
  const text = useSyncExternalStore(
    watch,
    () => announced,
    () => '',
  );
  // The toaster would have a pop-up read out whole; what is said is `announce`d: the title, nothing
  // else (WCAG 4.1.3).
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
        offset={{ right: 16, bottom: 84 }}
        mobileOffset={{ top: 68, bottom: 140 }}
        dir="ltr"
      />
    </>
  );
}
