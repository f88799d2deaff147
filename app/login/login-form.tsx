'use client';

import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { PasskeySignIn, type SignInOptions } from '#app/login/passkey-sign-in.tsx';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { PasswordField } from '#app/ui/forms/account-fields.tsx';
import { readForm } from '#app/ui/forms/use-action.ts';

type Props = {
  returnTo: string;
  earlier: string | undefined;
  username: string | undefined;
  passkeys: SignInOptions | null;
};

/**
 * The sign-in form. Its click unlocks the sound: browsers play none before a click. Without scripts
 * the browser posts the form itself and comes back with the problem (`earlier`): `wrong-password`,
 * the seconds to wait, `link` after a sign-in link that was used, or how a way to a provider ended.
 */
export function LoginForm({ returnTo, earlier, username, passkeys }: Props) {
  const t = useTranslations('login');
  const demo = useTranslations('demoLink');
  const form = useTranslations('form');
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const wait = (seconds: number) =>
    seconds < 60 ? t('waitSeconds', { seconds }) : t('wait', { minutes: Math.ceil(seconds / 60) });
  const sentenceOf = (outcome: string) => {
    if (outcome === 'link') return demo('used');
    if (outcome === 'wrong-password') return t('failed');
    const key = `problem.${outcome}` as 'problem.provider';
    return t.has(key) ? t(key) : wait(Number(outcome));
  };
  const [problem, setProblem] = useState(earlier && sentenceOf(earlier));
  const [checkedPercent, setCheckedPercent] = useState<number>();

  const goOn = () => {
    router.push(returnTo);
    router.refresh();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    unlockSound();
    setPending(true);
    setProblem(undefined);
    const { username = '', password = '' } = readForm(event.currentTarget);
    const outcome = await signIn(username, password, setCheckedPercent).catch(() => 'not-answered' as const);
    setCheckedPercent(undefined);
    if (outcome === 'signed-in') return goOn();
    setPending(false);
    if (outcome === 'not-answered') setProblem(form('failed'));
    else if (outcome === 'busy') setProblem(t('busy'));
    else setProblem(sentenceOf(outcome));
  };

  return (
    <form onSubmit={submit} method="post" action="/api/auth/callback/credentials">
      <input type="hidden" name="callbackUrl" value={returnTo} />
      <Stack>
        {problem && <Alert color="red">{problem}</Alert>}
        {checkedPercent !== undefined && <Alert role="status">{t('checking', { percent: checkedPercent })}</Alert>}
        <TextInput
          name="username"
          label={t('username')}
          defaultValue={username}
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordField name="password" label={t('password')} />
        <Button type="submit" size="md" loading={pending} fullWidth>
          {t('submit')}
        </Button>
        {passkeys && <PasskeySignIn initial={passkeys} onSignedIn={goOn} onProblem={setProblem} />}
        <Text className="fine-print">{t('sound')}</Text>
      </Stack>
    </form>
  );
}

const maxTries = 4;
const busySeconds = 3;

/**
 * Signs this browser in. Tries again by itself, four times in all, with the proof of a challenge and
 * while the service is busy. Returns the seconds to wait after too many failures. Throws when the
 * service did not judge the password.
 */
async function signIn(
  username: string,
  password: string,
  onProgress: (percent: number) => void,
): Promise<'signed-in' | 'wrong-password' | 'provider-only' | 'busy' | `${number}`> {
  let proof = '';
  for (let tries = 1; ; tries++) {
    const response = await fetch('/api/auth/callback/credentials', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username, password, proof }),
      // The version before, which may answer during an upgrade, redirects: status 0. It checked nothing.
      redirect: 'manual',
    });
    const { status } = response;
    if (status === 200) return 'signed-in';
    if (status === 401) return 'wrong-password';
    if (status === 403) return 'provider-only';
    if (![0, 429, 503].includes(status)) throw new Error(`the sign-in was answered with ${status}`);
    // The queue of the pages answers with plain text.
    const { waitSeconds, challenge }: { waitSeconds?: number; challenge?: string } = await response
      .json()
      .catch(() => ({}));
    proof = challenge && tries < maxTries ? await prove(challenge, onProgress).catch(() => '') : '';
    if (proof) continue;
    if (waitSeconds) return `${waitSeconds}`;
    if (tries === maxTries) return 'busy';
    await new Promise((resolve) => setTimeout(resolve, busySeconds * 1000));
  }
}

// Solves a challenge beside the page. Rejects where the worker cannot run.
async function prove(challenge: string, onProgress: (percent: number) => void): Promise<string> {
  const worker = new Worker(new URL('./proof.worker.ts', import.meta.url), { type: 'module' });
  try {
    onProgress(0);
    return await new Promise((resolve, reject) => {
      worker.onerror = reject;
      worker.onmessage = ({ data }: MessageEvent<number | string>) =>
        typeof data === 'string' ? resolve(data) : onProgress(data);
      worker.postMessage(challenge);
    });
  } finally {
    worker.terminate();
  }
}
