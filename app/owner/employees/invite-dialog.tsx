'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { createInvitationAction } from '#app/owner/employees/actions.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

/**
 * The dialog that creates an invitation link and shows it once, to copy or to share. Asks first if
 * the new link would end an earlier one or replace a password.
 */
export function InviteDialog({
  employee: { id, name, username, invitedUntil },
  company,
  onClose,
}: {
  employee: Pick<EmployeeSummary, 'id' | 'name' | 'username' | 'invitedUntil'>;
  company: string;
  onClose: () => void;
}) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const [link, setLink] = useState<string>();
  const { run, pending, problems, dialog } = useReauthenticatedAction(
    createInvitationAction,
    ({ link }) => setLink(link),
    {
      inviteFailed: t('inviteFailed'),
    },
  );
  const asksFirst = username !== null || invitedUntil !== null;
  return (
    <>
      <Dialog
        onClose={onClose}
        title={<bdi>{t(username ? 'resetTitle' : 'inviteTitle', { name })}</bdi>}
        size="lg"
        closeOnClickOutside={false}
      >
        <Stack>
          {!asksFirst && <RunOnMount run={() => void run({ id })} />}
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <Text>{t(username ? 'resetText' : 'inviteText', { name })}</Text>
          {link ? (
            <LinkToHandOver
              label={t('inviteLink')}
              link={link}
              message={t('inviteMessage', { name, company, link })}
              qrLabel={t('inviteQr', { name })}
              onClose={onClose}
            />
          ) : (
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {form('cancel')}
              </Button>
              <Button loading={pending} onClick={() => void run({ id })}>
                {t('makeLink')}
              </Button>
            </Group>
          )}
        </Stack>
      </Dialog>
      {dialog}
    </>
  );
}

// Inside the dialog, so that the link is not created before the dialog that shows it is loaded.
function RunOnMount({ run }: { run: () => void }) {
  const hasRun = useRef(false);
  useEffect(() => {
    if (!hasRun.current) run();
    hasRun.current = true;
  }, [run]);
  return null;
}
