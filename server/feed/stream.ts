import { type Announcement, concerns } from '#server/feed/announcement.ts';
import type { Reader } from '#server/feed/company-feed.ts';
import { type Event, encodeEvent, encodePing, encodeWithdrawn } from '#server/feed/event.ts';
import { inTurn } from '#server/feed/lookup-queue.ts';
import { type Remembered, recallSince } from '#server/feed/remembered.ts';
import { mostStreams, sayFull } from '#server/feed/stream-limit.ts';
import { notificationsSince, withdrawnSince } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';
import { meters } from '#server/meters.ts';

/**
 * Where a stream's bytes go. `waiting` says how many of them the reader has not taken yet; `close` ends it when they are taken, or soon; `drop`
 * at once, without them. `onClose` is called back when the connection is gone, whoever ended it.
 */
export type Sink = {
  write: (event: Event) => void;
  waiting: () => number;
  close: () => void;
  drop: () => void;
  onClose: (closed: () => void) => void;
};

const pingEveryMs = 8000;
const slotMs = 200;
// Looked at once in the ping's interval, and given 2 s to take its end: one that takes nothing is gone within 60 s.
const livesS = { from: 42, to: 50 };
const mostWaitingBytes = 512 * 1024;
const mostPerAccount = 12;

const opening = encodeEvent(': open\n\n');
const sessionEnded = encodeEvent('event: ended\ndata: ended\n\n');

// Pings of thousands of streams are spread: each slot has its turn once in the ping's interval.
const slots: Set<Stream>[] = Array.from({ length: pingEveryMs / slotMs }, () => new Set<Stream>());
const perAccount = new Map<number, number>();
let open = 0;
let turn = 0;
let timer: NodeJS.Timeout | undefined;

/** How many streams are open in this process. */
export const countStreams = (): number => open;

/**
 * Writes to a sink every notification of this person after number `after`, as server-sent events whose id is the number: first
 * what was missed, then what comes. A ping each 8 s carries the newest number. The stream ends by itself after 42 to 58 s
 * (so a reader that is gone is forgotten), when the session ends (event `ended`), or when the reader is too slow;
 * the portal then resumes by number. `begin` makes the sink, unless the account already has 12 open or the process as many as it may.
 */
export function openStream(person: Remembered, after: number, begin: () => Sink): 'open' | 'full' {
  if ((perAccount.get(person.accountId) ?? 0) >= mostPerAccount) return 'full';
  if (open >= mostStreams()) {
    sayFull();
    meters()?.count('streams_refused');
    return 'full';
  }
  const stream = new Stream(person, after, begin());
  void stream.start();
  return 'open';
}

// There may be tens of thousands: what is the same for all is kept once, outside.
class Stream implements Reader {
  readonly person: Remembered;
  private readonly sink: Sink;
  private readonly slot = leastSlot();
  private readonly endsAt = performance.now() + 1000 * (livesS.from + Math.random() * (livesS.to - livesS.from));
  private cursor: number;
  private state: 'replaying' | 'live' | 'ended' = 'replaying';

  constructor(person: Remembered, after: number, sink: Sink) {
    this.person = person;
    this.cursor = after;
    this.sink = sink;
    open += 1;
    perAccount.set(person.accountId, (perAccount.get(person.accountId) ?? 0) + 1);
    this.slot.add(this);
    person.feed.readers.add(this);
    timer ??= startPings();
    sink.onClose(() => this.end());
  }

  async start(): Promise<void> {
    this.write(opening);
    try {
      await this.replay();
    } catch {
      return this.end();
    }
    if (this.state !== 'replaying') return;
    this.state = 'live';
    // A session that ended while this was opened was not looked at with the others.
    if (this.person.accessNo !== this.person.feed.accessNo) this.end();
    else this.ping();
  }

  // What was missed comes from the database as long as it is older than what is remembered; the step from there to `live` is synchronous.
  private async replay(): Promise<void> {
    const { person } = this;
    const { feed, employee } = person;
    while (this.state === 'replaying') {
      const known = recallSince(person, this.cursor);
      if (known) {
        for (const { event } of known) this.write(event);
        this.cursor = Math.max(this.cursor, feed.lastNo);
        return;
      }
      // Nobody's memory is filled for a reader that does not read: it comes back for the rest.
      if (this.sink.waiting() > mostWaitingBytes) return this.end();
      const complete = Math.max(feed.lastNo, person.lastNo);
      const items = await inTurn(() => notificationsSince(employee, this.cursor));
      for (const item of items) this.write(encodeEvent(`id: ${item.no}\ndata: ${JSON.stringify(asItem(item))}\n\n`));
      const full = items.length === 50;
      const from = this.cursor;
      this.cursor = Math.max(this.cursor, items.at(-1)?.no ?? 0, full ? 0 : complete);
      const withdrawn = await inTurn(() => withdrawnSince(employee, from, this.cursor));
      if (withdrawn.length > 0) this.write(encodeWithdrawn(this.cursor, withdrawn));
    }
  }

  take(announcement: Announcement): void {
    const { no, event } = announcement;
    if (this.state !== 'live' || no <= this.cursor || !concerns(announcement, this.person.employee)) return;
    if (this.isTooSlow()) return;
    this.cursor = no;
    this.write(event);
  }

  restart(): void {
    this.end();
  }

  endSession(): void {
    this.end(sessionEnded);
  }

  /** Does what is due once in the ping's interval. */
  look(now: number): void {
    const { person } = this;
    person.usedAt = now;
    person.feed.usedAt = now;
    if (this.isTooSlow()) return;
    if (person.endsAt <= now) this.endSession();
    else if (this.endsAt <= now) this.end();
    else this.ping();
  }

  private ping(): void {
    const { feed } = this.person;
    if (this.state !== 'live' || !feed.fresh) return;
    const { no, ping } = feed.newestHanded;
    this.cursor = Math.max(this.cursor, no);
    this.write(this.cursor === no ? ping : encodePing(this.cursor));
  }

  // Before a write, not after it: what was just written may only be on its way.
  private isTooSlow(): boolean {
    if (this.sink.waiting() <= mostWaitingBytes) return false;
    this.sink.drop();
    this.end();
    return true;
  }

  private write(event: Event): void {
    if (this.state !== 'ended') this.sink.write(event);
  }

  end(farewell?: Event): void {
    if (this.state === 'ended') return;
    if (farewell) this.sink.write(farewell);
    this.state = 'ended';
    open -= 1;
    this.slot.delete(this);
    this.person.feed.readers.delete(this);
    forgetOne(this.person.accountId);
    this.sink.close();
  }
}

/** Ends every stream of this process; each portal is told to wait its own random time of up to 10 s before it comes back. */
export function endAllStreams(): void {
  clearInterval(timer);
  timer = undefined;
  for (const slot of slots)
    for (const stream of slot) stream.end(encodeEvent(`retry: ${Math.floor(Math.random() * 10_000)}\n\n`));
}

function leastSlot(): Set<Stream> {
  return slots.reduce((least, slot) => (slot.size < least.size ? slot : least));
}

function forgetOne(accountId: number): void {
  const left = (perAccount.get(accountId) ?? 1) - 1;
  if (left > 0) perAccount.set(accountId, left);
  else perAccount.delete(accountId);
}

function startPings(): NodeJS.Timeout {
  const every = setInterval(() => {
    turn = (turn + 1) % slots.length;
    const now = performance.now();
    for (const stream of slots[turn] ?? []) stream.look(now);
  }, slotMs);
  every.unref();
  return every;
}
