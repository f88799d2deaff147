'use client';

import { useWindowEvent } from '@mantine/hooks';
import { createContext, type ReactNode, useEffect, useRef, useState } from 'react';
import { whenTold } from '#app/signed-in/session-channel.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { AskToSignIn } from '#app/ui/forms/use-action.ts';
import { findAccountAction } from '#app/ui/sessions/session-actions.ts';

const SignInDialog = whenNeeded(() => import('#app/signed-in/sign-in-dialog.tsx'), 'SignInDialog', { texts: true });

/** The session of a page. `ended` hides it and keeps what was typed; `left`, by a sign-out elsewhere, empties it. */
type PageSession = 'lives' | 'ended' | 'left';

export const PageSessionContext = createContext<PageSession>('lives');

/** Asks to sign in over the page where the session ended, and goes on; for another person the page loads anew. */
export function SignInAgain({ account, children }: { account: string; children: ReactNode }) {
  const again = useRef<() => void>(undefined);
  const [isAsking, setAsking] = useState(false);
  const [session, setSession] = useState<PageSession>('lives');
  const goOn = async () => {
    const result = await findAccountAction(null).catch(() => null);
    if (!result || !('value' in result)) return false;
    if (result.value !== account) location.reload();
    else {
      // The sign-in and the returning focus may both call this, but `act` must run once.
      const act = again.current;
      again.current = undefined;
      setAsking(false);
      setSession('lives');
      dispatchEvent(new Event('signed-in'));
      act?.();
    }
    return true;
  };
  const endSession = () => setSession((now) => (now === 'left' ? now : 'ended'));
  const ask = (act: () => void) => {
    again.current = act;
    endSession();
    setAsking(true);
  };
  const check = async () => {
    const result = await findAccountAction(null).catch(() => null);
    if (!result || isAsking) return;
    if ('problems' in result) endSession();
    else if (result.value !== account) location.reload();
    else setSession('lives');
  };
  useEffect(() => whenTold('signed-out', () => setSession('left')), []);
  useWindowEvent('visibilitychange', () => void (document.hidden || check()));
  useWindowEvent('pageshow', ({ persisted }) => void (persisted && check()));
  return (
    <AskToSignIn value={ask}>
      <PageSessionContext value={session}>{children}</PageSessionContext>
      {isAsking && <SignInDialog onSignedIn={goOn} onClose={() => setAsking(false)} />}
    </AskToSignIn>
  );
}
