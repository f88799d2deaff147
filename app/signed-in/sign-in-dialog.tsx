import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { startPasskeySignInAction } from '#app/login/actions.ts';
import { LoginForm } from '#app/login/login-form.tsx';
import type { SignInOptions } from '#app/login/passkey-sign-in.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';

export function SignInDialog({ onSignedIn, onClose }: { onSignedIn: () => Promise<boolean>; onClose: () => void }) {
  const t = useTranslations('login');
  const [passkeys, setPasskeys] = useState<SignInOptions | null>(null);
  useEffect(() => {
    startPasskeySignInAction().then(setPasskeys, () => {});
  }, []);
  return (
    <Dialog onClose={onClose} title={t('again')} zIndex={300} closeOnClickOutside={false}>
      <Text>{t('againText')}</Text>
      <LoginForm returnTo="/" passkeys={passkeys} onSignedIn={onSignedIn} />
    </Dialog>
  );
}
