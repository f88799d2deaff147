'use client';

import { Alert, Button, Group, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';

export function ConfirmDialog({
  title,
  submit,
  isDestructive = false,
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
  const t = useTranslations('form');
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        {problem && <Alert color="red">{problem}</Alert>}
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel')}
          </Button>
          <Button color={isDestructive ? 'red' : undefined} loading={pending} onClick={onConfirm}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
