import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import { Modal, type ModalProps, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';

/** The window of a `Dialog`. `Dialog` returns the focus, so the window does not. */
export function DialogWindow({ children, ...props }: Omit<ModalProps, 'opened'>) {
  const t = useTranslations('form');
  return (
    <Modal opened returnFocus={false} closeButtonProps={{ 'aria-label': t('close'), size: 44 }} {...props}>
      <Stack>{children}</Stack>
    </Modal>
  );
}
