'use client';

import { useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { Toaster } from 'sonner';
import { useAnnounced } from '#app/ui/dialogs/announce.ts';

export function PopUpArea() {
  const t = useTranslations();
  const narrow = useMediaQuery('(max-width: 767px)');
  const area = useRef<HTMLElement>(null);
  const text = useAnnounced();
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
