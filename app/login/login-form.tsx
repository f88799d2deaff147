'use client';

import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { PasswordField } from '#app/ui/forms/account-fields.tsx';
import { readForm } from '#app/ui/forms/use-action.ts';
import { signIn } from '#app/ui/sessions/sign-in-address.ts';

/** Signs in; the same click unlocks the sound, because browsers ask for one. */
export function LoginForm({ returnTo }: { returnTo: string }) {
  const t = useTranslations('login');
  const form = useTranslations('form');
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    unlockSound();
    setPending(true);
    setProblem(undefined);
    const { username = '', password = '' } = readForm(event.currentTarget);
    const answer = await signIn(username, password).catch(() => ({ error: 'failed' }));
    if (answer === 'signed-in') {
      router.push(returnTo);
      router.refresh();
      return;
    }
    setPending(false);
    const seconds = /^wait:(\d+)$/.exec(answer.error)?.[1];
    if (seconds) setProblem(t('wait', { minutes: Math.ceil(Number(seconds) / 60) }));
    else setProblem(answer.error === 'CredentialsSignin' ? t('failed') : form('failed'));
  };

  return (
    <form onSubmit={submit}>
      <Stack>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <TextInput
          name="username"
          label={t('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordField name="password" label={t('password')} />
        <Button type="submit" size="md" loading={pending} fullWidth>
          {t('submit')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('sound')}
        </Text>
      </Stack>
    </form>
  );
}
