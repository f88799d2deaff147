'use client';

import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { PasswordField } from '#app/ui/forms/account-fields.tsx';
import { readForm } from '#app/ui/forms/use-action.ts';

/**
 * The sign-in form. Its click unlocks the sound: browsers play none before a click. Without scripts
 * the browser posts the form itself and comes back with the problem (`earlier`): `wrong-password`,
 * the seconds to wait, or `link` after a sign-in link that was used.
 */
export function LoginForm({ returnTo, earlier }: { returnTo: string; earlier: string | undefined }) {
  const t = useTranslations('login');
  const demo = useTranslations('demoLink');
  const form = useTranslations('form');
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const wait = (seconds: number) =>
    seconds < 60 ? t('waitSeconds', { seconds }) : t('wait', { minutes: Math.ceil(seconds / 60) });
  const sentenceOf = (outcome: string) => {
    if (outcome === 'link') return demo('used');
    return outcome === 'wrong-password' ? t('failed') : wait(Number(outcome));
  };
  const [problem, setProblem] = useState(earlier && sentenceOf(earlier));

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
    else if (outcome === 'wrong-password') setProblem(sentenceOf(outcome));
    else if ('busySeconds' in outcome) setProblem(t('busy'));
    else setProblem(wait(outcome.waitSeconds));
  };

  return (
    <form onSubmit={submit} method="post" action="/api/auth/sign-in">
      <input type="hidden" name="returnTo" value={returnTo} />
      <Stack>
        {problem && <Alert color="red">{problem}</Alert>}
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

/**
 * The outcome of a sign-in; `waitSeconds` after too many failures, `busySeconds` when too many
 * people sign in at once.
 */
type SignInOutcome = 'signed-in' | 'wrong-password' | { waitSeconds: number } | { busySeconds: number };

const maxTries = 4;

/**
 * Signs this browser in. Tries again by itself while too many people sign in at once, four times in
 * all. Throws when the service did not judge the password.
 */
async function signIn(username: string, password: string): Promise<SignInOutcome> {
  for (let tries = 1; ; tries++) {
    const response = await fetch('/api/auth/sign-in', { method: 'POST', body: JSON.stringify({ username, password }) });
    const outcome = (await response.json()) as SignInOutcome;
    if (typeof outcome === 'string' || !('busySeconds' in outcome) || tries === maxTries) return outcome;
    await new Promise((resolve) => setTimeout(resolve, outcome.busySeconds * 1000));
  }
}
