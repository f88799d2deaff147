'use client';

import { useWindowEvent } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState, useTransition } from 'react';
import { PasskeySignIn, type SignInOptions } from '#app/login/passkey-sign-in.tsx';
import { signedInAddress } from '#app/login/signed-in-address.ts';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { readForm } from '#app/ui/forms/form-values.ts';
import { PasswordField } from '#app/ui/forms/password-field.tsx';
import { PlainButton, PlainField } from '#app/ui/forms/plain-parts.tsx';

type Props = {
  returnTo: string;
  earlier?: string;
  username?: string;
  passkeys: SignInOptions | null;
  /** The page stays: called after a sign-in here or in another tab; returns false if a second factor is missing. */
  onSignedIn?: () => Promise<boolean>;
};

/** The sign-in form; its click unlocks the sound. `earlier`: the problem with which it came back without scripts. */
export function LoginForm({ returnTo, earlier, username, passkeys, onSignedIn }: Props) {
  const t = useTranslations('login');
  const texts = useTranslations();
  const router = useRouter();
  const [waiting, setWaiting] = useState(false);
  const [leaving, leave] = useTransition();
  const pending = waiting || leaving;
  const wait = (seconds: number) =>
    seconds < 60 ? t('waitSeconds', { seconds }) : t('wait', { minutes: Math.ceil(seconds / 60) });
  const sentenceOf = (problem: string) => {
    const key = `problem.${problem}` as 'problem.provider';
    return t.has(key) ? t(key) : wait(Number(problem));
  };
  const [latest, setProblem] = useState<string>();
  const problem = latest ?? (earlier && !pending ? sentenceOf(earlier) : undefined);

  useWindowEvent('focus', () => void onSignedIn?.());
  const open = () => {
    router.push(signedInAddress(returnTo));
    router.refresh();
  };
  const submit = async (fields: Fields) => {
    setWaiting(true);
    setProblem(undefined);
    const outcome = await signIn({ ...fields, callbackUrl: returnTo }).catch(() => null);
    if (outcome === 'signed-in' && onSignedIn && !(await onSignedIn())) setProblem(t('secondStep'));
    setWaiting(false);
    if (outcome === 'signed-in') return onSignedIn ? undefined : leave(open);
    if (outcome && typeof outcome === 'object') {
      if (onSignedIn) return setProblem(t('problem.provider-only'));
      return leave(() => router.push(outcome.location));
    }
    setProblem(outcome ? sentenceOf(outcome) : texts('form.failed'));
  };
  const submitPassword = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    unlockSound();
    const { username = '', password = '' } = readForm(event.currentTarget);
    void submit({ username, password });
  };

  return (
    <form onSubmit={submitPassword} method="post" action="/api/auth/sign-in">
      <input type="hidden" name="callbackUrl" value={returnTo} />
      <div className="stack">
        {problem && (
          <div role="alert" className="plain-alert">
            {problem}
          </div>
        )}
        <PlainField
          name="username"
          label={t('username')}
          defaultValue={username}
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordField name="password" label={t('password')} />
        <PlainButton type="submit" pending={pending}>
          {t('submit')}
        </PlainButton>
        {passkeys && (
          <PasskeySignIn initial={passkeys} onAnswer={(answer) => submit({ answer })} onProblem={setProblem} />
        )}
        <p className="fine-print">{t('sound')}</p>
        {onSignedIn && (
          <a className="plain-link" href="/login" target="_blank" rel="noopener">
            {t('otherWay')}
          </a>
        )}
      </div>
    </form>
  );
}

type Fields = { username: string; password: string } | { answer: string };

const maxTries = 4;
const busySeconds = 3;

// Signs this browser in. Returns the problem, which may be the seconds to wait, or where a person goes on whose company
// allows one provider only. Throws when the service judged nothing.
async function signIn(fields: Fields & { callbackUrl: string }): Promise<string | { location: string }> {
  for (let tries = 1; ; tries++) {
    const response = await fetch('/api/auth/sign-in', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    });
    const { status } = response;
    if (response.ok) return 'signed-in';
    if (status === 401) return 'answer' in fields ? 'wrong-passkey' : 'wrong-password';
    if (status === 403) return response.json();
    if (status === 429) return response.headers.get('retry-after') ?? '';
    if (status !== 503) throw new Error(`the sign-in was answered with ${status}`);
    if (tries === maxTries) return 'busy';
    await new Promise((resolve) => setTimeout(resolve, busySeconds * 1000));
  }
}
