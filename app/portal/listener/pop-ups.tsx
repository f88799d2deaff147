'use client';

import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { toast } from 'sonner';
import { changePreferencesAction, markReadAction, noteShownAction } from '#app/portal/actions.ts';
import { Confirm, ReminderMark } from '#app/portal/confirm.tsx';
import { ItemLink } from '#app/portal/item-link.tsx';
import { KindIcon } from '#app/portal/kind-icon.tsx';
import { KindCounts } from '#app/portal/listener/kind-counts.tsx';
import type { Stage } from '#app/portal/listener/pop-up-turn.ts';
import type { Portal } from '#app/portal/listener/portal.ts';
import { PrivateBody } from '#app/portal/private-body.tsx';
import { announce } from '#app/ui/pop-up-area.tsx';
import type { Item } from '#server/inbox-item.ts';
import { type Kind, privateKinds } from '#server/notification-kind.ts';

const lastsMs = 10_000;
const sayLaterMs = 3000;
const narrow = '(max-width: 767px)';

type Card = { title: ReactNode; body?: ReactNode; onGone?: () => void; stays?: boolean };

/** The pop-ups of this page: up to three one by one (two on a phone), more as one. */
export function usePopUps(portal: Portal): Stage {
  const t = useTranslations('bell');
  const deck = useRef(new Deck(() => portal.state.preferences.keepPopUps));
  useEffect(() => deck.current.pauseOnFocus(), []);
  return useMemo(() => {
    const { current } = deck;
    const toList = (id: string) => (
      <PopUpLink href="/portal/notifications" onFollow={() => current.dismiss(id)}>
        {t('show')}
      </PopUpLink>
    );
    const more = (count: number): Card => ({
      title: t('more', { count }),
      body: toList('more'),
      onGone: current.forgetMore,
    });
    return {
      show: (items) => {
        const count = current.makeRoom(items, matchMedia(narrow).matches ? 2 : 3);
        if (count > 0) {
          announce(t('more', { count }));
          return current.put('more', more(count));
        }
        current.dismiss('away');
        announce(items.map(({ title }) => t('announce', { title })).join('. '));
        for (const item of items) {
          current.put(idOf(item), {
            title: <PopUpTitle item={item} onFollow={() => current.dismiss(idOf(item))} />,
            body: <PopUpBody item={item} portal={portal} />,
          });
        }
        if (items.some(({ kind }) => privateKinds.includes(kind)))
          offerPrivacy(current, portal, () => announce(t('privacyOffer')));
      },
      withdraw: (items) => {
        for (const item of items) current.dismiss(idOf(item));
        current.dismiss('more');
      },
      remove: (numbers) => {
        for (const no of numbers) current.dismiss(idOf({ no }));
        const left = current.takeBack(numbers);
        if (left !== null) current.put('more', more(left));
      },
      seen: (items) => {
        const numbers = items.map(({ no }) => no).slice(-100);
        noteShownAction({ numbers }).then(
          (result) => portal.noteRefusal(result),
          () => {},
        );
      },
      clear: () => current.clear(),
      sumUp: () => {
        const summary = (count: number) => t('summary', { count });
        void sumUp(current, portal, { title: t('away'), summary, link: toList('away') });
      },
    };
  }, [t, portal]);
}

const idOf = ({ no }: Pick<Item, 'no'>) => `notification-${no}`;

/** The open pop-ups by id: what the toaster is asked to show, so that it can be shown again with another duration. */
class Deck {
  private readonly cards = new Map<string, Card>();
  private readonly keep: () => boolean;
  private paused = false;
  // The numbers that the one pop-up for many stands for.
  private more = new Set<number>();

  constructor(keep: () => boolean) {
    this.keep = keep;
  }

  /** Counts a burst together: 0 while all fit beside each other, else how many the one pop-up stands for; the single ones go. */
  makeRoom(items: Item[], most: number): number {
    const single = [...this.cards.keys()].flatMap((id) => /^notification-(\d+)$/.exec(id)?.[1] ?? []).map(Number);
    if (this.more.size === 0 && single.length + items.length <= most) return 0;
    for (const no of [...single, ...items.map((item) => item.no)]) this.more.add(no);
    for (const no of single) this.dismiss(idOf({ no }));
    return this.more.size;
  }

  /** Takes some from what the one pop-up for many stands for; answers how many are left if that changed, and closes it at none. */
  takeBack(numbers: number[]): number | null {
    const before = this.more.size;
    for (const no of numbers) this.more.delete(no);
    if (before > 0 && this.more.size === 0) this.dismiss('more');
    return this.more.size > 0 && this.more.size < before ? this.more.size : null;
  }

  forgetMore = (): void => {
    this.more.clear();
  };

  put(id: string, card: Card): void {
    this.cards.set(id, card);
    const gone = () => {
      this.cards.delete(id);
      card.onGone?.();
    };
    // The toaster starts a pop-up's time anew only when its duration differs.
    const stays = card.stays || this.paused || this.keep();
    const duration = stays ? Number.POSITIVE_INFINITY : lastsMs + this.more.size;
    toast(card.title, {
      id,
      duration,
      description: <div data-pop-up={id}>{card.body}</div>,
      onDismiss: gone,
      onAutoClose: gone,
    });
  }

  dismiss(id: string): void {
    toast.dismiss(id);
    this.cards.delete(id);
    if (id === 'more') this.more.clear();
  }

  /** Closes what stands for notifications; an open question stays. */
  clear(): void {
    for (const [id, { stays }] of this.cards) if (!stays) this.dismiss(id);
  }

  /** Time stands still while the keyboard is in a pop-up; Escape closes it, F6 goes to the newest. */
  pauseOnFocus(): () => void {
    let cameFrom: HTMLElement | null = null;
    const setPaused = (paused: boolean) => {
      if (this.paused === paused) return;
      this.paused = paused;
      for (const [id, card] of this.cards) this.put(id, card);
    };
    const isInside = (target: EventTarget | null) =>
      target instanceof Element && target.closest('[data-sonner-toaster]') !== null;
    const focused = ({ target, relatedTarget }: FocusEvent) => {
      if (isInside(target) && !isInside(relatedTarget) && relatedTarget instanceof HTMLElement)
        cameFrom = relatedTarget;
      setPaused(isInside(target));
    };
    const left = (event: FocusEvent) => {
      if (isInside(event.target) && event.relatedTarget && !isInside(event.relatedTarget)) event.stopPropagation();
      setPaused(isInside(event.relatedTarget));
    };
    const pressed = (event: KeyboardEvent) => {
      const open = document.activeElement?.closest('[data-sonner-toast]');
      if (event.key === 'Escape' && open) {
        const id = open.querySelector<HTMLElement>('[data-pop-up]')?.dataset.popUp;
        (cameFrom?.isConnected ? cameFrom : document.getElementById('content'))?.focus();
        if (id) this.dismiss(id);
      }
      const newest = document.querySelector<HTMLElement>('[data-sonner-toast][data-index="0"]');
      if (event.key === 'F6' && newest) {
        event.preventDefault();
        newest.focus();
      }
    };
    document.addEventListener('focusin', focused);
    // The toaster would pull the focus back to where it came from whenever it leaves, and Tab would never get past.
    document.addEventListener('focusout', left, true);
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('focusin', focused);
      document.removeEventListener('focusout', left, true);
      document.removeEventListener('keydown', pressed);
    };
  }
}

async function sumUp(
  deck: Deck,
  portal: Portal,
  { title, summary, link }: { title: string; summary: (count: number) => string; link: ReactNode },
): Promise<void> {
  const response = await fetch('/portal/inbox/unread').catch(() => null);
  const answer = response?.ok ? ((await response.json()) as { kinds: { kind: Kind; count: number }[] }) : { kinds: [] };
  const count = portal.state.unread.count;
  announce(`${title}. ${summary(count)}`);
  deck.put('away', { title, body: <KindCounts count={count} kinds={answer.kinds} link={link} /> });
}

// Once: whoever closes it has declined, and finds it in the settings.
function offerPrivacy(deck: Deck, portal: Portal, say: () => void): void {
  if (portal.state.preferences.hidePrivate !== null) return;
  const onGone = () => void choosePrivacy(portal, portal.state.preferences.hidePrivate ?? false);
  // After the notification itself was said.
  setTimeout(say, sayLaterMs);
  deck.put('privacy-offer', { title: <PrivacyOffer portal={portal} deck={deck} />, stays: true, onGone });
}

async function choosePrivacy(portal: Portal, hidePrivate: boolean): Promise<void> {
  if (portal.state.preferences.hidePrivate === hidePrivate) return;
  const result = await changePreferencesAction({ hidePrivate }).catch(() => null);
  if (result && 'value' in result) portal.setPreferences(result.value);
}

function PrivacyOffer({ portal, deck }: { portal: Portal; deck: Deck }) {
  const t = useTranslations('bell');
  const choose = async (hide: boolean) => {
    await choosePrivacy(portal, hide);
    deck.dismiss('privacy-offer');
  };
  return (
    <Stack gap="xs">
      <Text size="sm">{t('privacyOffer')}</Text>
      <Group gap="xs">
        <Button size="sm" onClick={() => void choose(true)}>
          {t('privacyYes')}
        </Button>
        <Button size="sm" variant="default" onClick={() => void choose(false)}>
          {t('privacyNo')}
        </Button>
      </Group>
    </Stack>
  );
}

function PopUpLink({ href, onFollow, children }: { href: string; onFollow?: () => void; children: ReactNode }) {
  return (
    <Anchor className="pop-up-link" component={Link} href={href} size="sm" onClick={onFollow}>
      {children}
    </Anchor>
  );
}

function PopUpTitle({ item, onFollow }: { item: Item; onFollow: () => void }) {
  return (
    <Anchor
      component={Link}
      href={`/portal/notifications#n${item.no}`}
      className="pop-up-title"
      c="inherit"
      onClick={onFollow}
    >
      <KindIcon kind={item.kind} size={18} />
      <Text component="span" dir="auto" fw={600} size="sm" lineClamp={2} className="wrapping">
        <ReminderMark item={item} />
        {item.title}
      </Text>
    </Anchor>
  );
}

function PopUpBody({ item, portal }: { item: Item; portal: Portal }) {
  const t = useTranslations();
  const markRead = async () => {
    const result = await markReadAction({ no: item.no, read: true }).catch(() => null);
    if (result && 'value' in result) portal.noteMarked({ no: item.no, read: true }, result.value.unread, 'everywhere');
    else if (result) portal.noteRefusal(result);
  };
  return (
    <>
      <PrivateBody
        item={item}
        hidden={portal.state.preferences.hidePrivate ?? false}
        lines={4}
        onOpen={() => void markRead()}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {t(`inbox.kind.${item.kind}`)} · {t(item.byHand ? 'bell.fromPerson' : 'bell.from', { sender: item.sender })}
      </Text>
      <ConfirmInPopUp item={item} portal={portal} />
      <Group gap="xl">
        {item.href && (
          <ItemLink href={item.href} read={markRead}>
            {t('bell.open')}
          </ItemLink>
        )}
        <PopUpLink href="/portal/notifications" onFollow={() => toast.dismiss(idOf(item))}>
          {t('bell.show')}
        </PopUpLink>
      </Group>
    </>
  );
}

// The toaster keeps what it is given; that it was confirmed, here or elsewhere, closes it.
function ConfirmInPopUp({ item, portal }: { item: Item; portal: Portal }) {
  useEffect(
    () =>
      portal.onMarked((marked) => {
        if ('confirmed' in marked && marked.confirmed === (item.remindsNo ?? item.no)) toast.dismiss(idOf(item));
      }),
    [portal, item],
  );
  return <Confirm item={item} short />;
}
