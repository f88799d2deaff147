'use client';

import { Modal, type ModalProps } from '@mantine/core';
import { useTranslations } from 'next-intl';

/** The window of a `Dialog`, which says where the focus goes afterwards. */
export function DialogWindow({ children, ...look }: Omit<ModalProps, 'opened'>) {
  const t = useTranslations('form');
  return (
    <Modal opened returnFocus={false} closeButtonProps={{ 'aria-label': t('close'), size: 44 }} {...look}>
      {children}
    </Modal>
  );
}
