import type { Message } from '#app/portal/live/feed/channel.ts';
import { Gathering } from '#app/portal/live/feed/gathering.ts';
import { claimPopUps, popUpClaim } from '#app/portal/live/storage/claims.ts';
import { applyMark } from '#app/portal/live/store/mark-log.ts';
import { readStored, store } from '#app/ui/storage/local-storage.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

// The tab with the shortest wait claims the pop-up. The wait also gathers notifications that arrive together.
const focusedWaitMs = 120;
const visibleWaitMs = 300;
const lastVisibleWaitMs = 500;
const hiddenWaitMs = 1000;
const lastVisibleKey = 'last-looked-tab';

export type PopUps = {
  show: (items: Item[]) => void;
  /** Closes pop-ups that move to another tab. */
  moveAway: (items: Item[]) => void;
  remove: (numbers: number[]) => void;
  replace: (items: Item[]) => void;
  clear: () => void;
  recordShown: (items: Item[]) => void;
};

type Page = { initial: { person: string }; tab: string; post: (message: Message) => void; popUps: PopUps };

/** Decides which tab opens a pop-up: the focused, a visible, the last visible one. It moves to a tab that is shown. */
export class PopUpTurn {
  private readonly pending = new Gathering<Item>((items) => void this.claim(items));
  private readonly claiming = new Set<Item>();
  private unseen: Item[] = [];
  private readonly withdrawn = new Set<number>();
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Notifications have arrived. Every tab gets them; one opens the pop-up. */
  arrive(items: Item[]): void {
    const wait = this.waitMs();
    // While many arrive, a tab that gives way to another waits for the last one, or both would claim some.
    this.pending.add(items, wait, wait !== focusedWaitMs);
  }

  tabVisible(): void {
    store(lastVisibleKey, this.page.tab);
    this.page.post({ type: 'tab-visible', tab: this.page.tab });
    if (this.unseen.length > 0) this.page.popUps.recordShown(this.unseen);
    this.unseen = [];
    this.pending.releaseNow();
  }

  /** Returns the lowest number whose pop-up no tab has claimed yet, or null. */
  firstUnclaimed(): number | null {
    // What came back from a snooze is found again by its time, not by its number.
    const numbers = [...this.pending.items, ...this.claiming].filter((item) => !item.back).map(({ no }) => no);
    return numbers.length > 0 ? Math.min(...numbers) : null;
  }

  withdraw(numbers: number[]): void {
    for (const no of numbers) this.withdrawn.add(no);
    this.unseen = this.unseen.filter(({ no }) => !this.withdrawn.has(no));
    this.page.popUps.remove(numbers);
  }

  /** The sender corrected these; what waits for its pop-up gets the new text, and nothing rings. */
  correct(items: Item[]): void {
    const replaced = (all: Item[]) => applyMark(all, { corrected: items });
    this.pending.items = replaced(this.pending.items);
    this.unseen = replaced(this.unseen);
    this.page.popUps.replace(items);
  }

  receive(message: Message): void {
    if (message.type === 'tab-visible' && document.hidden && this.unseen.length > 0) {
      this.page.popUps.moveAway(this.unseen);
      this.page.post({ type: 'handover', to: message.tab, items: this.unseen });
      this.unseen = [];
    }
    if (message.type === 'handover' && message.to === this.page.tab) this.show(message.items);
  }

  private async claim(items: Item[]): Promise<void> {
    const numbers = items.map(popUpClaim);
    for (const item of items) this.claiming.add(item);
    const mine = await claimPopUps(this.page.initial.person, numbers);
    for (const item of items) this.claiming.delete(item);
    if (mine === 'left') this.pending.items.push(...items);
    else this.show(items.filter((item) => mine.includes(popUpClaim(item))));
  }

  private show(claimed: Item[]): void {
    const items = claimed.filter(({ no }) => !this.withdrawn.has(no));
    if (items.length === 0) return;
    this.page.popUps.show(items);
    if (document.hidden) this.unseen.push(...items);
    else this.page.popUps.recordShown(items);
  }

  private waitMs(): number {
    if (!document.hidden) return document.hasFocus() ? focusedWaitMs : visibleWaitMs;
    return readStored(lastVisibleKey) === this.page.tab ? lastVisibleWaitMs : hiddenWaitMs;
  }
}
