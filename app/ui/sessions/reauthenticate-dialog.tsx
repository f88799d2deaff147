'use client';

import { Alert, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { PasswordField } from '#app/ui/forms/account-fields.tsx';
import { FormButtons } from '#app/ui/forms/form-buttons.tsx';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';
import { reauthenticateAction } from '#app/ui/sessions/settings-actions.ts';

/** Asks for the password of the signed-in account. */
export function ReauthenticateDialog({
  onClose,
  onReauthenticated,
}: {
  onClose: () => void;
  onReauthenticated: () => void;
}) {
  const t = useTranslations('prove');
  const settings = useTranslations('settings');
  const { run, pending, problems } = useAction(reauthenticateAction, onReauthenticated, { wrong: settings('wrong') });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run({ password: readForm(event.currentTarget).password ?? '' });
  };
  return (
    <Dialog onClose={onClose} title={t('title')} zIndex={300}>
      <form onSubmit={submit} method="post" noValidate>
        <Stack>
          <Text>{t('text')}</Text>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <PasswordField name="password" label={settings('current')} error={problems.password} />
          <FormButtons submit={t('submit')} pending={pending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
