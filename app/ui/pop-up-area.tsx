'use client';

import { useComputedColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { Toaster } from 'sonner';

/** Where pop-ups appear: bottom right, on phones at the top, above the menu either way. */
export function PopUpArea() {
  const t = useTranslations('inbox');
  const narrow = useMediaQuery('(max-width: 767px)');
  return (
    <Toaster
      theme={useComputedColorScheme('light')}
      position={narrow ? 'top-center' : 'bottom-right'}
      visibleToasts={3}
      expand
      closeButton
      containerAriaLabel={t('title')}
      offset={16}
      mobileOffset={{ top: 68 }}
    />
  );
}
