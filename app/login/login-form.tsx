'use client';

import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { signIn } from '#app/login/sign-in.ts';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { PasswordField } from '#app/ui/forms/account-fields.tsx';
import { readForm } from '#app/ui/forms/use-action.ts';

/** The sign-in form. Its click unlocks the sound: browsers play none before a click. */
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
    const outcome = await signIn(username, password).catch(() => 'not-answered' as const);
    if (outcome === 'signed-in') {
      router.push(returnTo);
      router.refresh();
      return;
    }
    setPending(false);
    if (outcome === 'not-answered') setProblem(form('failed'));
    else if (outcome === 'wrong-password') setProblem(t('failed'));
    else setProblem(t('wait', { minutes: Math.ceil(outcome.waitSeconds / 60) }));
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
