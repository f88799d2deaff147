'use client';

import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { acceptInvitationAction } from '#app/invite/[token]/actions.ts';
import { unlockSound } from '#app/portal/listener/sound.ts';
import { readForm, useAction } from '#app/ui/use-action.ts';

/** A username (when there is none yet) and a password; the submitting click also unlocks the sound. */
export function InviteForm({ token, username }: { token: string; username: string | null }) {
  const t = useTranslations('invite');
  const setup = useTranslations('setup');
  const login = useTranslations('login');
  const router = useRouter();
  const { run, pending, problems } = useAction(acceptInvitationAction, () => router.push('/portal'), {
    invalidInvitation: t('invalidText'),
    duplicateUsername: setup('duplicateUsername'),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    unlockSound();
    void run({ token, ...readForm(event.currentTarget) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {problems.form && (
          <Alert color="red" role="alert">
            {problems.form}
          </Alert>
        )}
        {username === null ? (
          <TextInput
            name="username"
            label={setup('username')}
            description={setup('usernameHint')}
            error={problems.username}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        ) : (
          <input type="hidden" name="username" value={username} />
        )}
        <PasswordInput
          name="password"
          label={setup('password')}
          description={setup('passwordHint')}
          error={problems.password}
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': login('showPassword') }}
        />
        <Button type="submit" size="md" loading={pending} fullWidth>
          {username === null ? t('submit') : t('submitAgain')}
        </Button>
      </Stack>
    </form>
  );
}
