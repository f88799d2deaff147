'use client';

import { Modal, type ModalProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';

/**
 * A dialog that is open as long as it is mounted. When it goes, the focus returns to what opened it, or to the
 * page's content when that is gone too.
 */
export function Dialog({ children, ...look }: Omit<ModalProps, 'opened'>) {
  const t = useTranslations('form');
  const [opener] = useState(() => document.activeElement);
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
