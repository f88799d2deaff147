'use client';

import { type Contact, type Marked, type Message, openChannel, type Start } from '#app/portal/live/feed/channel.ts';
import { forgetAbove, lastReceived, noteReceived } from '#app/portal/live/feed/cursor.ts';
import { PopUpTurn, type Stage } from '#app/portal/live/popups/pop-up-turn.ts';
import { type Quiet, quietAt } from '#app/portal/live/quiet/quiet.ts';
import { ringFor } from '#app/portal/live/sound/ring.ts';
import { soundState, unlockSoundAtTouch, watchSound } from '#app/portal/live/sound/sound.ts';
import { browserId } from '#app/portal/live/store/stored.ts';
import type { Item, UnreadCount } from '#server/inbox/inbox-item.ts';
import type { Preferences } from '#server/inbox/preferences.ts';

/** What the portal shows of itself at one moment. `arrived` is what came while this page was open, newest first. */
export type PortalState = {
  unread: UnreadCount;
  arrived: Item[];
  /** The numbers of what was withdrawn while this page was open. */
  withdrawn: number[];
  contact: Contact;
  /** The session is over; nothing is heard any more. */
  ended: boolean;
  preferences: Preferences;
};

/** What the server knew when it made the page. */
export type Beginning = {
  /** Names the employee within this browser. */
  person: string;
  timeZone: string;
  newest: number;
  unread: UnreadCount;
  preferences: Preferences;
};

// What arrived within this time while no page was open (a reload, a restart) still pops up.
const recentMs = 60_000;
const reportSoundMs = 60_000;
const restartWorkerMs = 3000;

/**
 * One page's end of the portal: it starts this tab's worker, hears what the leading tab's worker and the other tabs say, keeps
 * count, has one tab ring and one pop up. Its state changes only by replacement; `subscribe` tells of each change.
 */
export class Portal {
  state: PortalState;
  readonly person: string;
  readonly tab = crypto.randomUUID?.() ?? String(Math.random());
  private readonly timeZone: string;
  private readonly newest: number;
  private readonly stage: () => Stage;
  private readonly watchers = new Set<() => void>();
  private readonly markWatchers = new Set<(marked: Marked) => void>();
  private readonly known = new Set<number>();
  private readonly turn: PopUpTurn;
  private channel: ReturnType<typeof openChannel> | null = null;
  private soundToldAt = 0;

  constructor({ person, timeZone, newest, unread, preferences }: Beginning, stage: () => Stage) {
    this.person = person;
    this.timeZone = timeZone;
    this.newest = newest;
    this.stage = stage;
    const contact = { connected: true, checkedAt: null };
    this.state = { unread, arrived: [], withdrawn: [], contact, ended: false, preferences };
    this.turn = new PopUpTurn(person, this.tab, (message) => this.post(message), stage);
  }

  subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Listens until the returned function is called. */
  start(): () => void {
    this.channel = openChannel(this.person, (message) => this.hear(message));
    const endWorker = this.keepWorker(this.resumeFrom());
    const undo = [
      endWorker,
      () => this.channel?.close(),
      stayAwake(),
      unlockSoundAtTouch(),
      watchSound(() => this.tellSound()),
      on(window, ['online', 'pageshow', 'resume', 'focus'], () => this.look()),
      on(document, ['visibilitychange'], () => this.look()),
      answerServiceWorker(() => !this.state.ended),
      on(window, ['pagehide'], () => this.post({ type: 'sound', tab: this.tab, state: null })),
    ];
    if (!document.hidden) this.turn.looked();
    return () => {
      for (const one of undo) one();
    };
  }

  // A worker whose file could not be loaded (the network was away just then) is started again.
  private keepWorker(after: number): () => void {
    const start: Start = { type: 'start', person: this.person, browser: browserId(), after };
    let worker: Worker | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      worker = new Worker(new URL('../feed/ring.worker.ts', import.meta.url), { type: 'module' });
      worker.onerror = () => {
        worker?.terminate();
        this.change({ contact: { ...this.state.contact, connected: false } });
        timer = setTimeout(begin, restartWorkerMs);
      };
      worker.onmessage = ({ data }: MessageEvent<Message>) => this.hear(data);
      worker.postMessage(start);
    };
    begin();
    return () => {
      clearTimeout(timer);
      worker?.terminate();
    };
  }

  /**
   * Takes over the count that the answer to a mark brought, and tells every tab; `everywhere`, when the lists of this page do
   * not know of it yet either.
   */
  noteMarked(marked: Marked, unread: UnreadCount, where: 'elsewhere' | 'everywhere' = 'elsewhere'): void {
    this.takeCount(unread);
    this.post({ type: 'marked', marked, unread });
    if (where === 'everywhere') for (const watcher of this.markWatchers) watcher(marked);
  }

  /** An action was refused because nobody is signed in any more: has the leader look, which then tells every tab. */
  noteRefusal(result: { value: unknown } | { problems: Record<string, string> }): void {
    if ('problems' in result && result.problems.form === 'session-ended') this.post({ type: 'look', count: false });
  }

  /** Says that the person signed out here: every tab stops at once. */
  signedOut(): void {
    this.post({ type: 'ended' });
    this.change({ ended: true });
  }

  /** Calls back when another tab marked something; returns how to stop. */
  onMarked(watcher: (marked: Marked) => void): () => void {
    this.markWatchers.add(watcher);
    return () => this.markWatchers.delete(watcher);
  }

  /** Takes over changed preferences, here and in every tab. */
  setPreferences(preferences: Preferences): void {
    this.change({ preferences });
    this.post({ type: 'preferences', preferences });
  }

  /** Takes over what the server knew when it made a page again. */
  refresh(unread: UnreadCount, preferences: Preferences): void {
    this.takeCount(unread);
    this.change({ preferences });
  }

  /** Closes the pop-ups: the person looks at the list. */
  clearPopUps(): void {
    this.stage().clear();
  }

  /** Whether the person wants quiet at this moment. */
  quietNow = (): Quiet => quietAt(this.state.preferences, this.timeZone, new Date());

  private change(changes: Partial<PortalState>): void {
    this.state = { ...this.state, ...changes };
    for (const watcher of this.watchers) watcher();
  }

  private post(message: Message): void {
    this.channel?.post(message);
  }

  private look(): void {
    if (document.hidden) return;
    this.post({ type: 'look', count: true });
    this.turn.looked();
  }

  private tellSound(): void {
    this.soundToldAt = Date.now();
    this.post({ type: 'sound', tab: this.tab, state: soundState() });
  }

  // Where this browser stopped if that is a moment ago (a reload), else where the page was made; then one card sums up.
  private resumeFrom(): number {
    const last = lastReceived(this.person);
    const recent = last !== null && Date.now() - last.at < recentMs;
    if (last !== null && !recent && last.received > this.newest) void forgetAbove(this.person, this.newest);
    const after = recent ? Math.min(last.received, this.newest) : this.newest;
    // Once for what is new: the same unread ones again at every visit would be noise.
    const news = last === null || this.newest > last.received;
    if (!recent && news && this.state.unread.count > 0 && !this.quietNow()) this.stage().sumUp();
    noteReceived(this.person, after);
    return after;
  }

  private hear(message: Message): void {
    if (message.type === 'news') this.hearNews(message);
    if (message.type === 'leading') this.hearLeader(message);
    if (message.type === 'ended') this.change({ ended: true });
    if (message.type === 'preferences') this.change({ preferences: message.preferences });
    if (message.type === 'marked') {
      this.takeCount(message.unread);
      for (const watcher of this.markWatchers) watcher(message.marked);
    }
    this.turn.hear(message);
  }

  private hearNews({ newest, items, withdrawn, unread }: Extract<Message, { type: 'news' }>): void {
    noteReceived(this.person, newest);
    this.takeBack(withdrawn.filter((no) => !this.state.withdrawn.includes(no)));
    const fresh = items.filter(({ no }) => !this.known.has(no) && !this.state.withdrawn.includes(no));
    if (fresh.length > 0) this.receive(fresh);
    if (unread) this.takeCount(unread);
  }

  // What the owner withdrew is gone from everything on this page, and from the device.
  private takeBack(numbers: number[]): void {
    if (numbers.length === 0) return;
    const arrived = this.state.arrived.filter(({ no }) => !numbers.includes(no));
    this.change({ arrived, withdrawn: [...this.state.withdrawn, ...numbers] });
    this.turn.takeBack(numbers);
    for (const watcher of this.markWatchers) watcher({ withdrawn: numbers });
    void closeOnDevice(numbers);
  }

  private receive(items: Item[]): void {
    for (const { no } of items) this.known.add(no);
    const { unread, arrived } = this.state;
    const more = items.filter(({ no, read }) => no > unread.asOf && !read).length;
    const asOf = Math.max(unread.asOf, ...items.map(({ no }) => no));
    const counted = { count: unread.count + more, asOf, at: unread.at };
    this.change({ arrived: [...items.toReversed(), ...arrived], unread: counted });
    if (this.quietNow()) return;
    this.turn.arrive(items);
    ringFor(this.person, items, () => (this.quietNow() ? null : this.state.preferences));
  }

  private hearLeader({ connected, checkedAt }: Contact): void {
    this.change({ contact: { connected, checkedAt }, ended: false });
    if (connected) noteReceived(this.person, 0);
    // The first time, because a worker hears nothing before it runs; later on for whoever leads since.
    if (Date.now() - this.soundToldAt > reportSoundMs) this.tellSound();
  }

  // Counts may overtake each other: the later one is right, but for what has arrived since.
  private takeCount(counted: UnreadCount): void {
    const { unread, arrived } = this.state;
    if (counted.at < unread.at) return;
    const since = arrived.filter(({ no, read }) => no > counted.asOf && !read).length;
    const asOf = Math.max(counted.asOf, unread.asOf);
    this.change({ unread: { count: counted.count + since, asOf, at: counted.at } });
  }
}

async function closeOnDevice(numbers: number[]): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const no of numbers)
    for (const shown of (await registration?.getNotifications({ tag: `notification-${no}` })) ?? []) shown.close();
}

// A push arrived: whether this page pops it up itself, or rings for it, decides what the device shows.
function answerServiceWorker(alive: () => boolean): () => void {
  const answer = (event: Event) => {
    const { data, ports } = event as MessageEvent<unknown>;
    if (data !== 'portal?') return;
    ports[0]?.postMessage({
      alive: alive(),
      looked: alive() && !document.hidden,
      rings: alive() && soundState() === 'on',
    });
  };
  navigator.serviceWorker?.addEventListener('message', answer);
  return () => navigator.serviceWorker?.removeEventListener('message', answer);
}

function on(target: EventTarget, events: string[], listener: () => void): () => void {
  for (const event of events) target.addEventListener(event, listener);
  return () => {
    for (const event of events) target.removeEventListener(event, listener);
  };
}

// Chrome's Energy Saver freezes hidden pages, but none that hold a lock (Chrome 133, "Freezing on Energy Saver").
function stayAwake(): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  navigator.locks?.request(`awake:${Math.random()}`, { mode: 'shared' }, () => held).catch(() => {});
  return () => release();
}
