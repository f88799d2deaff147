'use client';

import { useComputedColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { Toaster } from 'sonner';

/** Where pop-ups appear: bottom right, on phones at the top, above the menu either way. */
export function PopUpArea() {
  const t = useTranslations();
  const narrow = useMediaQuery('(max-width: 767px)');
  return (
    <Toaster
      theme={useComputedColorScheme('light')}
      position={narrow ? 'top-center' : 'bottom-right'}
      visibleToasts={narrow ? 1 : 3}
      toastOptions={{ closeButtonAriaLabel: t('form.close') }}
      expand
      closeButton
      containerAriaLabel={t('inbox.title')}
      offset={16}
      mobileOffset={{ top: 68 }}
    />
  );
}
