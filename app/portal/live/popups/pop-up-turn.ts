'use client';

import type { Message } from '#app/portal/live/feed/channel.ts';
import { claimPopUps } from '#app/portal/live/feed/cursor.ts';
import { readStored, store } from '#app/portal/live/store/stored.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

// The first wait also gathers a burst, so that it is one pop-up from the start.
const focusedWaitMs = 120;
const visibleWaitMs = 300;
const lastLookedWaitMs = 500;
const hiddenWaitMs = 1000;
const lastLookedKey = 'last-looked-tab';

/** What a page can do with pop-ups. */
export type Stage = {
  show: (items: Item[]) => void;
  /** Takes back what nobody has seen: it is shown elsewhere. */
  withdraw: (items: Item[]) => void;
  /** Closes the pop-ups of what its sender took back. */
  remove: (numbers: number[]) => void;
  /** What came while nobody was here, as one card. */
  sumUp: () => void;
  /** Closes all: the person looks at the list. */
  clear: () => void;
  /** Notes that the person saw these. */
  seen: (items: Item[]) => void;
};

/**
 * Decides which tab pops up: the one the person looks at, else one that is visible, else the one they looked at last. What
 * popped up in a hidden tab and was not seen moves to the tab they look at next.
 */
export class PopUpTurn {
  private pending: Item[] = [];
  private unseen: Item[] = [];
  private readonly gone = new Set<number>();
  private readonly person: string;
  private readonly tab: string;
  private readonly post: (message: Message) => void;
  private readonly stage: () => Stage;

  constructor(person: string, tab: string, post: (message: Message) => void, stage: () => Stage) {
    this.person = person;
    this.tab = tab;
    this.post = post;
    this.stage = stage;
  }

  /** New ones have arrived; every tab gets them. */
  arrive(items: Item[]): void {
    this.pending.push(...items);
    setTimeout(() => void this.claim(), this.waitMs());
  }

  /** The person looks at this tab. */
  looked(): void {
    store(lastLookedKey, this.tab);
    this.post({ type: 'looking', tab: this.tab });
    if (this.unseen.length > 0) this.stage().seen(this.unseen);
    this.unseen = [];
    void this.claim();
  }

  /** These were taken back by their sender. */
  takeBack(numbers: number[]): void {
    for (const no of numbers) this.gone.add(no);
    this.unseen = this.unseen.filter(({ no }) => !this.gone.has(no));
    this.stage().remove(numbers);
  }

  /** Another tab spoke. */
  hear(message: Message): void {
    if (message.type === 'looking' && document.hidden && this.unseen.length > 0) {
      this.stage().withdraw(this.unseen);
      this.post({ type: 'handover', to: message.tab, items: this.unseen });
      this.unseen = [];
    }
    if (message.type === 'handover' && message.to === this.tab) this.present(message.items);
  }

  private async claim(): Promise<void> {
    const items = this.pending;
    this.pending = [];
    if (items.length === 0) return;
    const mine = new Set(
      await claimPopUps(
        this.person,
        items.map(({ no }) => no),
      ),
    );
    if (mine.size > 0) this.present(items.filter(({ no }) => mine.has(no)));
  }

  private present(news: Item[]): void {
    const items = news.filter(({ no }) => !this.gone.has(no));
    if (items.length === 0) return;
    this.stage().show(items);
    if (document.hidden) this.unseen.push(...items);
    else this.stage().seen(items);
  }

  private waitMs(): number {
    if (!document.hidden) return document.hasFocus() ? focusedWaitMs : visibleWaitMs;
    return readStored(lastLookedKey) === this.tab ? lastLookedWaitMs : hiddenWaitMs;
  }
}
