'use client';

import { Modal, type ModalProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';

// An entry of a menu is gone when the dialog closes; the button of the menu is not.
function findOpener(): Element | null {
  const active = document.activeElement;
  const button = active?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return (button ? document.getElementById(button) : null) ?? active;
}

/**
 * A dialog that is open as long as it is mounted. When it goes, the focus returns to what opened it, or to the
 * page's content when that is gone too.
 */
export function Dialog({ children, ...look }: Omit<ModalProps, 'opened'>) {
  const t = useTranslations('form');
  const [opener] = useState(findOpener);
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const target =
          opener instanceof HTMLElement && opener.isConnected ? opener : document.getElementById('content');
        target?.focus();
      });
    },
    [opener],
  );
  return (
    <Modal opened returnFocus={false} closeButtonProps={{ 'aria-label': t('close'), size: 44 }} {...look}>
      {children}
    </Modal>
  );
}
