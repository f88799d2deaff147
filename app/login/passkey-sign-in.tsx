import { Button } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useEffectEvent, useState } from 'react';
import { startPasskeySignInAction } from '#app/login/actions.ts';
import { unlockSound } from '#app/portal/live/sound/sound.ts';

// A challenge is valid for 5 minutes; the page may stay open for hours.
const renewMs = 4 * 60_000;

/** What `makeSignInOptions` returns. */
export type SignInOptions = NonNullable<Awaited<ReturnType<typeof startPasskeySignInAction>>>;

type Props = {
  initial: SignInOptions;
  onSignedIn: () => void;
  onProblem: (problem: string | undefined) => void;
};

/**
 * Signs in with a passkey: by a button, or when the person chooses one that the browser offers in the
 * field of the name. Renders nothing in a browser without passkeys.
 */
export function PasskeySignIn({ initial, onSignedIn, onProblem }: Props) {
  const t = useTranslations('login');
  const [isSupported, setIsSupported] = useState(false);
  const [options, setOptions] = useState(initial);
  const [pending, setPending] = useState(false);

  const signIn = async (useBrowserAutofill: boolean) => {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    const answer = await startAuthentication({ optionsJSON: options, useBrowserAutofill });
    setPending(true);
    const { ok, status } = await fetch('/api/auth/callback/passkey', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ answer: JSON.stringify(answer) }),
    }).catch(() => ({ ok: false, status: 0 }));
    if (ok) return onSignedIn();
    setPending(false);
    onProblem(status === 403 ? t('problem.provider-only') : t('passkeyFailed'));
  };
  // It ends with an error when the person presses the button, or leaves the page.
  const offer = () => signIn(true).catch(() => {});
  const offerFirst = useEffectEvent(() => void offer());
  useEffect(() => {
    if (typeof PublicKeyCredential !== 'function' || options.rpId !== location.hostname) return;
    setIsSupported(true);
    offerFirst();
    const timer = setTimeout(async () => {
      const renewed = await startPasskeySignInAction().catch(() => null);
      setOptions((now) => renewed ?? { ...now });
    }, renewMs);
    return () => clearTimeout(timer);
  }, [options]);
  if (!isSupported) return null;

  const press = async () => {
    void unlockSound();
    onProblem(undefined);
    setPending(true);
    try {
      await signIn(false);
    } catch {
      setPending(false);
      onProblem(t('passkeyFailed'));
      void offer();
    }
  };
  return (
    <Button
      variant="default"
      size="md"
      px="xs"
      fz={15}
      fullWidth
      leftSection={<KeyRound aria-hidden size={18} />}
      loading={pending}
      onClick={() => void press()}
    >
      {t('passkey')}
    </Button>
  );
}
