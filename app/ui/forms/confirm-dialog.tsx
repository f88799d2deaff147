import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { FormButtons } from '#app/ui/forms/form.tsx';

export function ConfirmDialog({
  title,
  submit,
  isDestructive,
  problem,
  pending,
  onClose,
  onConfirm,
  children,
}: {
  title: ReactNode;
  submit: string;
  isDestructive?: boolean;
  problem?: string;
  pending: boolean;
  onClose: () => void;
  onConfirm: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog onClose={onClose} title={title}>
      {problem && <Alert color="red">{problem}</Alert>}
      {children}
      <FormButtons {...{ submit, pending, isDestructive }} onCancel={onClose} onSubmit={onConfirm} />
    </Dialog>
  );
}
