'use client';

import { Alert, Button, Stack } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { acceptInvitationAction } from '#app/invite/[token]/actions.ts';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { NeedsScripts, NewUsernameField, PasswordField } from '#app/ui/forms/account-fields.tsx';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';

/** Asks for a password, and for a username without an account. Its click also unlocks the sound. */
export function InviteForm({ token, username }: { token: string; username: string | null }) {
  const t = useTranslations('invite');
  const setup = useTranslations('setup');
  const router = useRouter();
  const isReady = useMounted();
  const { run, pending, problems } = useAction(acceptInvitationAction, ({ area }) => router.push(area), {
    invalidInvitation: t('invalidText'),
    duplicateUsername: setup('duplicateUsername'),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    unlockSound();
    void run({ token, ...readForm(event.currentTarget) });
  };
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        <NeedsScripts />
        {problems.form && (
          <Alert color="red" role="alert">
            {problems.form}
          </Alert>
        )}
        {username === null ? (
          <NewUsernameField error={problems.username} />
        ) : (
          <input type="hidden" name="username" value={username} />
        )}
        <PasswordField name="password" label={setup('password')} error={problems.password} isNew />
        <Button type="submit" size="md" disabled={!isReady} loading={pending} fullWidth>
          {username === null ? t('submit') : t('submitAgain')}
        </Button>
      </Stack>
    </form>
  );
}
