import { KeyRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useEffectEvent, useState } from 'react';
import { startPasskeySignInAction } from '#app/login/actions.ts';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { PlainButton } from '#app/ui/forms/plain-parts.tsx';

// A challenge is valid for 5 minutes; the page may stay open for hours.
const renewMs = 4 * 60_000;

export type SignInOptions = NonNullable<Awaited<ReturnType<typeof startPasskeySignInAction>>>;

type Props = {
  initial: SignInOptions;
  onAnswer: (json: string) => Promise<void>;
  onProblem: (problem?: string) => void;
};

/** Asks for a passkey by a button or in the field of the name; nothing in a browser without passkeys. */
export function PasskeySignIn({ initial, onAnswer, onProblem }: Props) {
  const t = useTranslations('login');
  const [isSupported, setIsSupported] = useState(false);
  const [options, setOptions] = useState(initial);
  const [pending, setPending] = useState(false);

  const ask = async (useBrowserAutofill: boolean) => {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    await onAnswer(JSON.stringify(await startAuthentication({ optionsJSON: options, useBrowserAutofill })));
  };
  // It ends with an error when the person presses the button, or leaves the page.
  const offer = () => ask(true).catch(() => {});
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
      await ask(false);
    } catch {
      onProblem(t('problem.wrong-passkey'));
      void offer();
    }
    setPending(false);
  };
  return (
    <PlainButton look="default" pending={pending} onClick={() => void press()}>
      <KeyRound />
      {t('passkey')}
    </PlainButton>
  );
}
