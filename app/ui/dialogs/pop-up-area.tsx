'use client';

import { useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';

type Sonner = typeof import('sonner');

const retryMs = 1000;
const load = (): Promise<Sonner> =>
  import('sonner').catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    return load();
  });
const Toaster = lazy(async () => ({ default: (await load()).Toaster }));

// One toaster for the page: code outside of React uses it too.
let isNeeded = false;
let draw = () => {};
let setDrawn: () => void;
const drawn = new Promise<void>((resolve) => {
  setDrawn = resolve;
});

/** Calls `act` when the toaster is there. It is loaded for the first pop-up of a page. */
export async function withToaster(act: (toast: Sonner['toast']) => void): Promise<void> {
  isNeeded = true;
  draw();
  await drawn;
  act((await load()).toast);
}

export function PopUpArea() {
  const [hasPopUps, setHasPopUps] = useState(false);
  useEffect(() => {
    draw = () => setHasPopUps(isNeeded);
    draw();
  }, []);
  return (
    <>
      <VisuallyHidden role="status" data-announcer />
      <Suspense>{hasPopUps && <PopUps />}</Suspense>
    </>
  );
}

function PopUps() {
  const t = useTranslations();
  const narrow = useMediaQuery('(max-width: 47.9375em)');
  const area = useRef<HTMLElement>(null);
  useEffect(() => {
    // With the toaster's own setting, screen readers read whole pop-ups. `announce` reads the title only (WCAG 4.1.3).
    area.current?.setAttribute('aria-live', 'off');
    setDrawn();
  }, []);
  return (
    <Toaster
      ref={area}
      theme={useComputedColorScheme('light')}
      position={narrow ? 'top-center' : 'bottom-right'}
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
  );
}
