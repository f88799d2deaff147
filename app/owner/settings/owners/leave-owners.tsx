'use client';

import { Button, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { leaveOwnersAction } from '#app/owner/settings/owners/actions.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';

/** The button with which the signed-in owner stops being one. It leads to the sign-in page. */
export function LeaveOwners() {
  const t = useTranslations('owners');
  const [asking, setAsking] = useState(false);
  const { run, pending, problems, clear, dialog } = useProvedAction(
    leaveOwnersAction,
    () => location.assign('/login'),
    { 'last-owner': t('last') },
  );
  const close = () => {
    clear();
    setAsking(false);
  };
  return (
    <>
      <Button variant="light" color="red" onClick={() => setAsking(true)}>
        {t('leave')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('leaveTitle')}
          submit={t('leave')}
          isDestructive
          problem={problems.form}
          pending={pending}
          onClose={close}
          onConfirm={() => void run(null)}
        >
          <Text>{t('leaveText')}</Text>
        </ConfirmDialog>
      )}
      {dialog}
    </>
  );
}
