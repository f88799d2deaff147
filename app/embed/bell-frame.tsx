'use client';

import { useWindowEvent } from '@mantine/hooks';
import { Bell as BellIcon, VolumeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { createContext, type FormEvent, type ReactNode, use, useEffect, useEffectEvent, useRef, useState } from 'react';
import { openBellAction } from '#app/embed/actions.ts';
import { maxUnread, shortCount } from '#app/portal/live/store/portal-state.ts';
import { whenTold } from '#app/signed-in/session-channel.ts';
import { readForm } from '#app/ui/forms/form-values.ts';
import { PlainButton, PlainField } from '#app/ui/forms/plain-parts.tsx';
import type { FrameSecret } from '#server/accounts/sessions/bell-offer.ts';

/** The page around the frame: its origin, and how it wants the bell. */
type SurroundingPage = { origin: string; isLeft: boolean; size: number; theme: string };

const PageContext = createContext<SurroundingPage>({ origin: '', isLeft: false, size: 44, theme: '' });

/** Gives a bell the page around it and its theme. */
export function BellFrame({ page, children }: { page: SurroundingPage; children: ReactNode }) {
  const { theme } = page;
  useEffect(() => {
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.mantineColorScheme = theme;
  }, [theme]);
  return <PageContext value={page}>{children}</PageContext>;
}

const panelWidth = 380;
const maxPanelHeight = 520;
// The space (px) below the bell, and around an open panel for its shadow.
const gap = 16;
const cardWidth = 340;

type Props = {
  count: number;
  /** The name of the bell where nobody is signed in. */
  label?: string;
  panel: ReactNode;
  cards?: ReactNode;
  /** Why it does not ring now. */
  silence?: string | undefined;
  onOpen?: () => void;
};

/** The bell and its panel. They tell the page around them their size, the unread count and what is open. */
export function BellWithPanel({ count, label, panel, cards, silence, onOpen }: Props) {
  const t = useTranslations();
  const { isLeft, size } = use(PageContext);
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Where the frame lies: above or below the bell, and how far beyond it (px).
  const [{ isAbove, shift }, setPlace] = useState({ isAbove: false, shift: 0 });
  const content = useReportToPage({ count, isOpen, hasCards: Boolean(cards) });
  usePageTells('place', (side, px) => setPlace({ isAbove: side === 'above', shift: Number(px) || 0 }));
  usePageTells('close', () => setIsOpen(false));
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    setIsOpen(false);
    button.current?.focus();
  });
  return (
    <main ref={content} className="bell-frame" data-side={isLeft ? 'left' : 'right'} data-above={isAbove}>
      <h1 className="unseen">{t('inbox.title')}</h1>
      <button
        ref={button}
        type="button"
        className="icon-button bell-button"
        style={{ width: size, height: size, [isLeft ? 'marginLeft' : 'marginRight']: shift }}
        aria-expanded={isOpen}
        title={silence}
        onClick={() => {
          if (!isOpen) onOpen?.();
          setIsOpen(!isOpen);
        }}
      >
        {count > 0 && (
          <span aria-hidden className="unread-badge">
            {shortCount(count)}
          </span>
        )}
        <BellIcon size={Math.round(size / 2)} />
        {silence && <VolumeOff className="bell-silence" size={Math.round(size / 3)} />}
        <span className="unseen">
          {[label ?? t('bell.label', { count: Math.min(count, maxUnread) }), silence].filter(Boolean).join('. ')}
        </span>
      </button>
      {isOpen ? <section className="bell-panel">{panel}</section> : cards}
    </main>
  );
}

function useReportToPage({ count, isOpen, hasCards }: { count: number; isOpen: boolean; hasCards: boolean }) {
  const { origin, size } = use(PageContext);
  const content = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!content.current || parent === window) return;
    const width = isOpen ? panelWidth : hasCards ? cardWidth : size;
    const report = () => {
      const below = content.current?.querySelector('.bell-panel, .bell-cards');
      const height = below ? size + gap + Math.min(maxPanelHeight, below.scrollHeight) : size;
      parent.postMessage({ count, open: isOpen ? 1 : 0, width, height }, origin);
    };
    // A hidden tab measures nothing.
    report();
    const observer = new ResizeObserver(report);
    for (const part of content.current.querySelectorAll('.bell-panel > *, .bell-cards')) observer.observe(part);
    return () => observer.disconnect();
  });
  return content;
}

/** Calls `act` when the page around the frame tells `name`: a press beside an open panel (`close`), or anywhere. */
export function usePageTells(name: 'close' | 'place' | 'press', act: (side?: string, px?: string) => void): void {
  const { origin } = use(PageContext);
  useWindowEvent('message', ({ source, origin: from, data }) => {
    if (source !== parent || from !== origin || typeof data !== 'string') return;
    const [, what, side, px] = data.split(':');
    if (what === name) act(side, px);
  });
}

const severedMs = 500;

/** The bell of a person who is not signed in: a window of this origin signs in. An owner may have no inbox. */
export function SignedOutBell({ secret, code, hasNoInbox = false }: FrameSecret & { hasNoInbox?: boolean }) {
  const t = useTranslations('embed');
  const page = use(PageContext);
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
