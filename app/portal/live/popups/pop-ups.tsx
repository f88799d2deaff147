import { Anchor, Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { PopUps } from '#app/portal/live/store/pop-up-turn.ts';
import type { PortalStore } from '#app/portal/live/store/portal-store.ts';
import { recordShownAction } from '#app/portal/notification/actions.ts';
import { Confirm } from '#app/portal/notification/confirm.tsx';
import { itemAddress } from '#app/portal/notification/item.ts';
import { PopUpContent, PopUpHeading } from '#app/portal/notification/pop-up-face.tsx';
import { announce } from '#app/ui/dialogs/announce.ts';
import { withToaster } from '#app/ui/dialogs/pop-up-area.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';
import { privateKinds } from '#server/notifications/kinds.ts';
import { withoutMarks } from '#server/notifications/text-marks.ts';

const maxRecorded = 100;
const confirmedMs = 4000;

// The first page of the list shows how many are new, so it needs no summary.
const isFirstPage = () => location.pathname === '/portal/notifications' && !/[?&](?!open=)/.test(location.search);

// An owner or manager who works on something else sees the title only. Their home page shows the whole.
const isWorkplace = () => location.pathname.startsWith('/owner/');

/** Opens up to three pop-ups (one on a phone). For more it opens a summary, or the list shows their number. */
export function usePopUps(portal: PortalStore): PopUps {
  const t = useTranslations('bell');
  const [deck] = useState(() => new PopUpDeck(() => portal.state.preferences.keepPopUps));
  useEffect(() => deck.handleKeyboard(), [deck]);
  return useMemo(() => {
    const link = (id: string, href: string, className: string, text: ReactNode) => (
      <Anchor component={PageLink} href={href} className={className} size="sm" onClick={() => deck.close(id)}>
        {text}
      </Anchor>
    );
    const openSummary = (count: number) => {
      const body = link(summaryId, '/portal/notifications', 'pop-up-link', t('show'));
      deck.open(summaryId, { title: t('more', { count }), body });
    };
    // The link of the title opens the notification; the whole pop-up is its target.
    const openCard = (item: Item) => {
      const id = popUpId(item);
      const title = link(id, itemAddress(item.no), 'pop-up-title', <PopUpHeading item={item} />);
      const body = (
        <PopUpContent
          item={item}
          hidden={portal.state.preferences.hidePrivate && privateKinds.includes(item.kind)}
          linkBase={portal.initial.linkBase}
          button={(isSeen) => <ConfirmInPopUp item={item} portal={portal} isSeen={isSeen} />}
        />
      );
      deck.open(id, { title, body: isWorkplace() ? null : body });
    };
    return {
      replace: (items) => items.filter((item) => deck.has(popUpId(item))).forEach(openCard),
      show: (items) => {
        const count = deck.makeRoom(items, matchMedia('(max-width: 47.9375em)').matches ? 1 : 3);
        if (count > 0) {
          announce(t('more', { count }));
          return isFirstPage() ? deck.clear() : openSummary(count);
        }
        announce(items.map(({ title }) => t('announce', { title: withoutMarks(title) })).join('. '));
        for (const item of items) openCard(item);
      },
      moveAway: (items) => {
        for (const item of items) deck.close(popUpId(item));
        deck.close(summaryId);
      },
      remove: (numbers) => {
        for (const no of numbers) deck.close(popUpId({ no }));
      },
      recordShown: (items) => {
        const numbers = items.map(({ no }) => no).slice(-maxRecorded);
        void recordShownAction({ numbers }).then(portal.checkSession, () => {});
      },
      clear: () => deck.clear(),
    };
  }, [t, portal, deck]);
}

// A toast does not render again with a changed item. Confirmed, it stays for a moment: nothing slides under the finger.
function ConfirmInPopUp({ item, portal, isSeen }: { item: Item; portal: PortalStore; isSeen: boolean }) {
  const t = useTranslations('mustRead');
  const [given, setGiven] = useState({ confirmedAt: item.confirmedAt, answer: item.answer });
  const place = useRef<HTMLDivElement>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const unfollow = portal.marks.follow((marked) => {
      if (!('confirmed' in marked) || marked.confirmed !== (item.remindsNo ?? item.no)) return;
      setGiven({ confirmedAt: marked.at, answer: marked.answer ?? null });
      // Who changes the answer meanwhile keeps it open.
      const close = () => place.current?.querySelector('[data-confirmed]') && dismiss(popUpId(item));
      clearTimeout(closing.current);
      closing.current = setTimeout(close, confirmedMs);
    });
    return () => {
      clearTimeout(closing.current);
      unfollow();
    };
  }, [portal, item]);
  if (isSeen || given.confirmedAt)
    return (
      <div ref={place}>
        <Confirm item={{ ...item, ...given }} />
      </div>
    );
  return (
    <Button component={PageLink} href={itemAddress(item.no)} size="sm" mt={8} onClick={() => dismiss(popUpId(item))}>
      {t('readAll')}
    </Button>
  );
}

const lifetimeMs = 10_000;
const summaryId = 'more';

type Card = { title: ReactNode; body?: ReactNode };

const dismiss = (id: string) => void withToaster((toast) => toast.dismiss(id));
const popUpId = ({ no }: Pick<Item, 'no'>): string => `notification-${no}`;

// The open pop-ups of one page by id, with their content: a toast must be shown again to change its duration.
class PopUpDeck {
  private readonly cards = new Map<string, Card>();
  private readonly keepsOpen: () => boolean;
  private paused = false;
  // How many notifications the summary pop-up stands for.
  private summarized = 0;

  constructor(keepsOpen: () => boolean) {
    this.keepsOpen = keepsOpen;
  }

  /** Returns 0 if `limit` single pop-ups hold all, else closes these and returns how many the summary shows. */
  makeRoom(items: Item[], limit: number): number {
    const single = [...this.cards.keys()].filter((id) => id !== summaryId);
    if (this.summarized === 0 && single.length + items.length <= limit) return 0;
    this.summarized += single.length + items.length;
    for (const id of single) this.close(id);
    return this.summarized;
  }

  /** Opens a pop-up, or replaces the one with this id. */
  open(id: string, card: Card): void {
    this.cards.set(id, card);
    this.markOpen();
    const closed = () => this.forget(id);
    const stays = this.paused || this.keepsOpen();
    // The toaster restarts the time of a toast only if its duration differs.
    const duration = stays ? Number.POSITIVE_INFINITY : lifetimeMs + this.summarized;
    const description = <div data-pop-up={id}>{card.body}</div>;
    void withToaster((toast) => {
      // Closed or replaced while the toaster was loading.
      if (this.cards.get(id) !== card) return;
      toast(card.title, { id, duration, description, onDismiss: closed, onAutoClose: closed });
    });
  }

  has(id: string): boolean {
    return this.cards.has(id);
  }

  close(id: string): void {
    if (this.has(id)) dismiss(id);
    this.forget(id);
  }

  private forget(id: string): void {
    this.cards.delete(id);
    this.markOpen();
    if (id === summaryId) this.summarized = 0;
  }

  clear(): void {
    for (const id of this.cards.keys()) this.close(id);
    this.summarized = 0;
  }

  // One thing lies over the page at a time: the question about the sound waits for the pop-ups.
  private markOpen(): void {
    document.documentElement.toggleAttribute('data-pop-up-open', this.cards.size > 0);
  }

  /** By keyboard, F6 focuses the newest pop-up, Escape closes it; none closes by itself meanwhile. */
  handleKeyboard(): () => void {
    let focusedBefore: HTMLElement | null = null;
    const setPaused = (paused: boolean) => {
      if (this.paused === paused) return;
      this.paused = paused;
      for (const [id, card] of this.cards) this.open(id, card);
    };
    const isInside = (target: EventTarget | null) =>
      target instanceof Element && target.closest('[data-sonner-toaster]') !== null;
    const onFocusIn = ({ target, relatedTarget }: FocusEvent) => {
      if (isInside(target) && !isInside(relatedTarget) && relatedTarget instanceof HTMLElement)
        focusedBefore = relatedTarget;
      setPaused(isInside(target));
    };
    const onFocusOut = (event: FocusEvent) => {
      if (isInside(event.target) && event.relatedTarget && !isInside(event.relatedTarget)) event.stopPropagation();
      setPaused(isInside(event.relatedTarget));
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const focused = document.activeElement?.closest('[data-sonner-toast]');
      if (event.key === 'Escape' && focused) {
        const id = focused.querySelector<HTMLElement>('[data-pop-up]')?.dataset.popUp;
        (focusedBefore?.isConnected ? focusedBefore : document.getElementById('content'))?.focus();
        if (id) this.close(id);
      }
      const newest = document.querySelector<HTMLElement>('[data-sonner-toast][data-index="0"]');
      if (event.key === 'F6' && newest) {
        event.preventDefault();
        newest.focus();
      }
    };
    const stopped = new AbortController();
    const { signal } = stopped;
    document.addEventListener('focusin', onFocusIn, { signal });
    // Captured and stopped: the toaster pulls the focus back when it leaves, so Tab would never get past it.
    document.addEventListener('focusout', onFocusOut, { capture: true, signal });
    document.addEventListener('keydown', onKeyDown, { signal });
    return () => stopped.abort();
  }
}
