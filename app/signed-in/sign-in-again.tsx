'use client';

import { type ReactNode, useRef, useState } from 'react';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { AskToSignIn } from '#app/ui/forms/use-action.ts';
import { findAccountAction } from '#app/ui/sessions/session-actions.ts';

const SignInDialog = whenNeeded(() => import('#app/signed-in/sign-in-dialog.tsx'), 'SignInDialog', { texts: true });

/** Asks to sign in over the page where the session ended, and goes on; for another person the page loads anew. */
export function SignInAgain({ account, children }: { account: string; children: ReactNode }) {
  const again = useRef<() => void>(undefined);
  const [isAsking, setAsking] = useState(false);
  const goOn = async () => {
    const result = await findAccountAction(null).catch(() => null);
    if (!result || !('value' in result)) return false;
    if (result.value !== account) location.reload();
    else {
      // The sign-in and the returning focus may both call this, but `act` must run once.
      const act = again.current;
      again.current = undefined;
      setAsking(false);
      dispatchEvent(new Event('signed-in'));
      act?.();
    }
    return true;
  };
  const ask = (act: () => void) => {
    again.current = act;
    setAsking(true);
  };
  return (
    <AskToSignIn value={ask}>
      {children}
      {isAsking && <SignInDialog onSignedIn={goOn} onClose={() => setAsking(false)} />}
    </AskToSignIn>
  );
}
