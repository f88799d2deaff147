import { steadyNow } from '#app/portal/live/feed/steady-clock.ts';

// The longest time that a notification waits for its ring or pop-up.
const maxGatherMs = 9000;

/** Gathers notifications that arrive together, and releases them at once. */
export class Gathering<Item> {
  items: Item[] = [];
  private since = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly release: (items: Item[]) => void;

  constructor(release: (items: Item[]) => void) {
    this.release = release;
  }

  /** Releases all `waitMs` after the first one, or after the last one (`waitsForLast`), but within 9 s. */
  add(items: Item[], waitMs: number, waitsForLast: boolean): void {
    const now = steadyNow();
    this.items.push(...items);
    if (this.timer === undefined) this.since = now;
    else if (!waitsForLast) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.releaseNow(), Math.min(waitMs, Math.max(0, this.since + maxGatherMs - now)));
  }

  releaseNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const all = this.items;
    this.items = [];
    if (all.length > 0) this.release(all);
  }
}
