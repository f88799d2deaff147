'use client';

import { useWindowEvent } from '@mantine/hooks';
import { createContext, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { whenSignedOut } from '#app/signed-in/session-channel.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { AskToSignIn } from '#app/ui/forms/use-action.ts';
import { findAccountAction } from '#app/ui/sessions/session-actions.ts';

const SignInDialog = whenNeeded(() => import('#app/signed-in/sign-in-dialog.tsx'), 'SignInDialog', { texts: true });

/**
 * What became of the page's session. `ended`: it is hidden and keeps what was typed. `left`: the person signed out in
 * another tab, and it is emptied.
 */
type PageSession = 'lives' | 'ended' | 'left';

export const PageSessionContext = createContext<PageSession>('lives');

/**
 * Asks to sign in over the page where the session ended, and goes on; for another person the page loads anew. A page
 * that is looked at again, or comes back from the browser's cache, first finds out whether its session still lives.
 */
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
  const ask = (act: () => void) => {
    again.current = act;
    setSession((now) => (now === 'left' ? now : 'ended'));
    setAsking(true);
  };
  const check = useEffectEvent(async () => {
    const result = await findAccountAction(null).catch(() => null);
    if (!result || isAsking) return;
    if ('value' in result && result.value !== account) location.reload();
    else if ('value' in result) setSession('lives');
    else setSession((now) => (now === 'left' ? now : 'ended'));
  });
  useEffect(() => whenSignedOut(() => setSession('left')), []);
  useEffect(() => {
    const look = () => void (document.visibilityState === 'visible' && check());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useWindowEvent('pageshow', ({ persisted }) => {
    if (persisted) void check();
  });
  return (
    <AskToSignIn value={ask}>
      <PageSessionContext value={session}>{children}</PageSessionContext>
      {isAsking && <SignInDialog onSignedIn={goOn} onClose={() => setAsking(false)} />}
    </AskToSignIn>
  );
}
