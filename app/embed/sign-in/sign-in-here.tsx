'use client';

import { Stack } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { LoginForm } from '#app/login/login-form.tsx';
import type { SignInOptions } from '#app/login/passkey-sign-in.tsx';
import { TextLink } from '#app/ui/text/links.tsx';

/**
 * The sign-in of the window of a bell. The window never leaves its page: the browser would forget which frame opened
 * it. Other ways to sign in open in a new tab; back from there, the window goes on.
 */
export function SignInHere({ passkeys }: { passkeys: SignInOptions | null }) {
  const t = useTranslations('login');
  const router = useRouter();
  useWindowEvent('focus', () => router.refresh());
  const goOn = async () => {
    router.refresh();
    return true;
  };
  return (
    <Stack mt="md" gap="xs">
      <LoginForm returnTo="/portal" passkeys={passkeys} onSignedIn={goOn} />
      <TextLink href="/login" target="_blank" rel="noopener">
        {t('otherWay')}
      </TextLink>
    </Stack>
  );
}
