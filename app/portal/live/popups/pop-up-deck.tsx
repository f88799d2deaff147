import type { ReactNode } from 'react';
import { toast } from 'sonner';
import type { Item } from '#server/inbox/inbox-item.ts';

const lifetimeMs = 10_000;
const summaryId = 'more';

export type Card = {
  title: ReactNode;
  body?: ReactNode;
  onClose?: () => void;
};

export const popUpId = ({ no }: Pick<Item, 'no'>): string => `notification-${no}`;

/**
 * The open pop-ups of one page by id. It keeps their content, because a toast must be shown again
 * to change its duration. `keepsOpen` returns whether the employee wants pop-ups to stay open.
 */
export class PopUpDeck {
  private readonly cards = new Map<string, Card>();
  private readonly keepsOpen: () => boolean;
  private paused = false;
  // How many notifications the summary pop-up stands for.
  private summarized = 0;

  constructor(keepsOpen: () => boolean) {
    this.keepsOpen = keepsOpen;
  }

  /**
   * Makes room for more notifications. Returns 0 if `limit` single pop-ups hold all of them.
   * Otherwise closes the single pop-ups and returns the number of notifications that the summary
   * must show.
   */
  makeRoom(items: Item[], limit: number): number {
    const single = [...this.cards.keys()].filter((id) => id !== summaryId);
    if (this.summarized === 0 && single.length + items.length <= limit) return 0;
    this.summarized += single.length + items.length;
    for (const id of single) this.close(id);
    return this.summarized;
  }

  openSummary(card: Card): void {
    const onClose = () => {
      this.summarized = 0;
    };
    this.open(summaryId, { ...card, onClose });
  }

  closeSummary = (): void => {
    this.close(summaryId);
  };

  /** Opens a pop-up, or replaces the one with this id. */
  open(id: string, card: Card): void {
    this.cards.set(id, card);
    this.markOpen();
    const closed = () => {
      this.cards.delete(id);
      this.markOpen();
      card.onClose?.();
    };
    const stays = this.paused || this.keepsOpen();
    // The toaster restarts the time of a toast only if its duration differs.
    const duration = stays ? Number.POSITIVE_INFINITY : lifetimeMs + this.summarized;
    toast(card.title, {
      id,
      duration,
      description: <div data-pop-up={id}>{card.body}</div>,
      onDismiss: closed,
      onAutoClose: closed,
    });
  }

  has(id: string): boolean {
    return this.cards.has(id);
  }

  close(id: string): void {
    toast.dismiss(id);
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

  /**
   * Makes the pop-ups usable by keyboard: F6 focuses the newest, Escape closes the focused one, and
   * none closes by itself while one has the focus. Returns the function that stops it.
   */
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
    document.addEventListener('focusin', onFocusIn);
    // Captured and stopped: the toaster pulls the focus back when it leaves, so Tab would never get
    // past it.
    document.addEventListener('focusout', onFocusOut, true);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('focusout', onFocusOut, true);
      document.removeEventListener('keydown', onKeyDown);
    };
  }
}
