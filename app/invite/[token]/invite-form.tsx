'use client';

import { Alert, Button, Checkbox, Stack } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { acceptInvitationAction } from '#app/invite/[token]/actions.ts';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { NeedsScripts, NewUsernameField, PasswordField } from '#app/ui/forms/account-fields.tsx';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';

/**
 * Asks for a password, and for a username without an account; with `asksPrivacy` also whether texts
 * about money are hidden. Its click also unlocks the sound.
 */
export function InviteForm({
  token,
  username,
  asksPrivacy,
}: {
  token: string;
  username: string | null;
  asksPrivacy: boolean;
}) {
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
    const { hidden, ...fields } = readForm(event.currentTarget);
    void run({ token, ...fields, ...(asksPrivacy && { hidePrivate: hidden ? 'yes' : 'no' }) });
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
        {asksPrivacy && (
          <div className="tall">
            <Checkbox
              name="hidden"
              value="yes"
              size="md"
              defaultChecked
              label={t('hidePrivate')}
              description={t('hidePrivateHint')}
            />
          </div>
        )}
        <Button type="submit" size="md" disabled={!isReady} loading={pending} fullWidth>
          {username === null ? t('submit') : t('submitAgain')}
        </Button>
      </Stack>
    </form>
  );
}
