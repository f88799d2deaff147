'use client';

import type { ReactNode } from 'react';
import { toast } from 'sonner';
import type { Item } from '#server/inbox/inbox-item.ts';

const lastsMs = 10_000;

/** What a pop-up shows; `stays` until it is answered. */
export type Card = { title: ReactNode; body?: ReactNode; onGone?: () => void; stays?: boolean };

/** The id of a notification's pop-up. */
export const idOf = ({ no }: Pick<Item, 'no'>) => `notification-${no}`;

/** The open pop-ups by id: what the toaster is asked to show, so that it can be shown again with another duration. */
export class Deck {
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
