'use client';

import { Alert, Button, Text } from '@mantine/core';
import { Undo2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { withdrawSendAction } from '#app/owner/sends/actions.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

type Props = { no: number; title: string };

/** The button that withdraws a send, after a dialog that says what this does. */
export function WithdrawButton(send: Props) {
  const t = useTranslations('sends');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="light" color="red" leftSection={<Undo2 aria-hidden size={18} />} onClick={() => setAsking(true)}>
        {t('withdraw')}
      </Button>
      {asking && <WithdrawDialog {...send} onClose={() => setAsking(false)} />}
    </>
  );
}

function WithdrawDialog({ no, title, onClose }: Props & { onClose: () => void }) {
  const t = useTranslations();
  const router = useRouter();
  const withdrawn = () => {
    onClose();
    router.refresh();
  };
  const { run, pending, problems } = useAction(withdrawSendAction, withdrawn, { gone: t('sends.withdrawGone') });
  return (
    <ConfirmDialog
      title={t('sends.withdrawTitle', { title })}
      submit={t('sends.withdraw')}
      isDestructive
      pending={pending}
      onClose={onClose}
      onConfirm={() => void run({ no })}
    >
      <Text>{t('sends.withdrawText')}</Text>
      {problems.form && <Alert color="red">{problems.form}</Alert>}
    </ConfirmDialog>
  );
}
