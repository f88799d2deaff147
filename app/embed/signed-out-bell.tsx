'use client';

import { useWindowEvent } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import { openBellAction } from '#app/embed/actions.ts';
import { BellWithPanel, PageContext } from '#app/embed/bell-frame.tsx';
import { signedInChannel } from '#app/embed/signed-in-channel.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { PlainButton } from '#app/ui/forms/plain-parts.tsx';
import type { FrameSecret } from '#server/accounts/sessions/bell-offer.ts';

const TypedCode = whenNeeded(() => import('#app/embed/typed-code.tsx'), 'TypedCode', { height: 100 });
const severedMs = 500;

/** The bell of a person who is not signed in: a window of this origin signs in. An owner may have no inbox. */
export function SignedOutBell({ secret, code, hasNoInbox = false }: FrameSecret & { hasNoInbox?: boolean }) {
  const t = useTranslations('embed');
  const page = useContext(PageContext);
  const [problem, setProblem] = useState<'blocked' | 'notConnected'>();
  const [isTyping, setIsTyping] = useState(false);
  const signInWindow = useRef<Window>(null);
  const open = async (ticket: string) => {
    const opened = await openBellAction({ secret, ticket, origin: page.origin }).catch(() => null);
    if (!opened || 'problems' in opened) return setProblem('notConnected');
    const reads = await fetch('/portal/inbox?limit=1', { cache: 'no-store' }).catch(() => null);
    if (reads?.ok) location.reload();
    else setProblem('blocked');
  };
  const onSignedIn = useEffectEvent(() => void open(''));
  useEffect(() => {
    // Without storage a bell in a page of another site has no channel, and needs none.
    if (page.origin !== location.origin) return;
    const channel = new BroadcastChannel(signedInChannel);
    channel.onmessage = onSignedIn;
    return () => channel.close();
  }, [page.origin]);
  useWindowEvent('message', ({ source, origin, data }) => {
    const isOfWindow = source === signInWindow.current && origin === location.origin;
    if (isOfWindow && typeof data?.ticket === 'string') void open(data.ticket);
  });
  const signIn = () => {
    const query = new URLSearchParams({ code, origin: page.origin });
    const features = 'popup,width=440,height=680';
    signInWindow.current = window.open(`/embed/sign-in?${query}`, 'staff-notifications', features);
    // The page around the bell cut itself off from its windows (`Cross-Origin-Opener-Policy: same-origin`).
    setTimeout(() => setIsTyping(page.origin !== location.origin && signInWindow.current?.closed !== false), severedMs);
  };
  return (
    <BellWithPanel
      count={0}
      label={hasNoInbox ? undefined : t('signedOutLabel')}
      panel={
        <div className="stack">
          <span>{t(hasNoInbox ? 'noInbox' : 'signedOut')}</span>
          {!hasNoInbox && <PlainButton onClick={signIn}>{t('signIn')}</PlainButton>}
          {isTyping && <TypedCode onTyped={(ticket) => void open(ticket)} />}
          {problem && (
            <span role="alert">
              {t(problem)}{' '}
              <a href="/portal" target="_blank" rel="noopener">
                {t('openPortal')}
              </a>
            </span>
          )}
        </div>
      }
    />
  );
}
