'use client';

import { useMounted } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { demoSignInAction } from '#app/login/actions.ts';
import { signedInAddress } from '#app/login/signed-in-address.ts';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { PlainButton } from '#app/ui/forms/plain-parts.tsx';

/** The button of the demo's sign-in link, whose token is behind the `#`: that is never sent. It unlocks the sound. */
export function DemoSignIn() {
  const t = useTranslations('demoLink');
  const router = useRouter();
  const isReady = useMounted();
  const [pending, setPending] = useState(false);
  const signIn = async () => {
    void unlockSound();
    setPending(true);
    const result = await demoSignInAction({ token: location.hash.slice(1) }).catch(() => null);
    const isSignedIn = result !== null && 'value' in result;
    router.replace(isSignedIn ? signedInAddress('/owner') : '/login?problem=link');
  };
  return (
    <PlainButton disabled={!isReady} pending={pending} onClick={() => void signIn()}>
      {t('submit')}
    </PlainButton>
  );
}
