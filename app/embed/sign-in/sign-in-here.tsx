'use client';

import { Box } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { LoginForm } from '#app/login/login-form.tsx';
import type { SignInOptions } from '#app/login/passkey-sign-in.tsx';

/** The sign-in of the window of a bell. It never leaves its page: the browser would forget which frame opened it. */
export function SignInHere({ passkeys }: { passkeys: SignInOptions | null }) {
  const router = useRouter();
  const goOn = async () => {
    router.refresh();
    return true;
  };
  return (
    <Box mt="md">
      <LoginForm returnTo="/portal" passkeys={passkeys} onSignedIn={goOn} />
    </Box>
  );
}
