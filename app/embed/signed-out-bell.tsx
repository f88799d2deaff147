'use client';

import { useWindowEvent } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { type FormEvent, useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import { openBellAction } from '#app/embed/actions.ts';
import { BellWithPanel, PageContext } from '#app/embed/bell-frame.tsx';
import { whenTold } from '#app/signed-in/session-channel.ts';
import { readForm } from '#app/ui/forms/form-values.ts';
import { PlainButton, PlainField } from '#app/ui/forms/plain-parts.tsx';
import type { FrameSecret } from '#server/accounts/sessions/bell-offer.ts';

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
  // A bell in a page of another site needs a ticket.
  useEffect(
    () => (page.origin === location.origin ? whenTold('bell-signed-in', onSignedIn) : undefined),
    [page.origin],
  );
  useWindowEvent('message', ({ source, origin, data }) => {
    const isOfWindow = source === signInWindow.current && origin === location.origin;
    if (isOfWindow && typeof data?.ticket === 'string') void open(data.ticket);
  });
  // What the window of the bell shows, in any case, with or without blanks.
  const openTyped = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { ticket = '' } = readForm(event.currentTarget);
    void open(ticket.toLowerCase().replace(/[^a-z0-9]/g, ''));
  };
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
          {isTyping && (
            <form className="stack" onSubmit={openTyped}>
              <PlainField name="ticket" label={t('code')} autoComplete="off" autoCapitalize="none" required />
              <PlainButton type="submit" look="default">
                {t('connect')}
              </PlainButton>
            </form>
          )}
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
