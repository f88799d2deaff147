'use client';

import { Button, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { leaveManagersAction, leaveOwnersAction } from '#app/owner/settings/owners/actions.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
import type { InvitedRights } from '#server/accounts/owner-links.ts';

const texts = {
  owner: { button: 'leave', title: 'leaveTitle', text: 'leaveText' },
  manager: { button: 'leaveManager', title: 'leaveManagerTitle', text: 'leaveManagerText' },
} as const;

/**
 * The button with which the signed-in owner or manager gives up these rights. It leads to the
 * sign-in page.
 */
export function LeaveManagement({ rights }: { rights: InvitedRights }) {
  const t = useTranslations('owners');
  const { button, title, text } = texts[rights];
  const [asking, setAsking] = useState(false);
  const { run, pending, problems, clear, dialog } = useProvedAction(
    rights === 'owner' ? leaveOwnersAction : leaveManagersAction,
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
        {t(button)}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t(title)}
          submit={t(button)}
          isDestructive
          problem={problems.form}
          pending={pending}
          onClose={close}
          onConfirm={() => void run(null)}
        >
          <Text>{t(text)}</Text>
        </ConfirmDialog>
      )}
      {dialog}
    </>
  );
}
