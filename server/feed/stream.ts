import { makeReconciliation } from '#db/reconciliation.ts';
import { announce, onWakeUp, type RingTurn } from '#db/wake-ups.ts';
import { flushVisits } from '#server/employees/portal-visits.ts';
import {
  type Announcement,
  encodeEvent,
  encodeNamed,
  encodePing,
  isAddressedTo,
  type StreamEvent,
  sessionEnded,
} from '#server/feed/announcement.ts';
import type { FeedSubscriber } from '#server/feed/company-feed.ts';
import { unfollowAll } from '#server/feed/company-feeds.ts';
import { lookupQueue, maxStreams } from '#server/feed/limits.ts';
import { type CachedSession, listCached, removeIdleSessions } from '#server/feed/session-cache.ts';
import { catchUpSize, listChangesSince, listInboxSince } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';

/**
 * Where a stream writes. `countPendingBytes`: what the client has not taken. `close` ends it after that, within 2 s;
 * `reset` at once. `onClose`: either side has ended it.
 */
export type Sink = {
  write: (event: StreamEvent) => void;
  countPendingBytes: () => number;
  close: () => void;
  reset: () => void;
  onClose: (closed: () => void) => void;
};

const pingEveryMs = 8000;
const slotMs = 200;
// A stream ends after a while so that portals spread over several machines again.
const lifetimeS = { min: 15 * 60, max: 30 * 60 };
const maxPendingBytes = 512 * 1024;
const maxRetryMs = 10_000;
// The next one ends the oldest: the stream of a device that vanished stays open for minutes.
const maxPerAccount = 12;

const opening = encodeEvent(': open\n\n');

// The pings of thousands of streams are spread over time: each slot is due once per ping interval.
const slots: Set<Stream>[] = Array.from({ length: pingEveryMs / slotMs }, () => new Set<Stream>());
let openCount = 0;
let currentSlot = 0;
let timer: NodeJS.Timeout | undefined;

export const countStreams = (): number => openCount;

// The open streams of each account, the oldest first. Accounts of two companies may have one number.
const ofAccounts = new Map<string, Set<Stream>>();

type Reader = Pick<CachedSession, 'accountId' | 'employee'>;

export const accountKey = ({ accountId, employee }: Reader): string => `${employee.companyId}:${accountId}`;

/**
 * The pages of a session that share a browser's storage, by name `<session>:<browser>`: they ring once together.
 * `isOn`: the sound is on where the stream rings. `isBell`: only in bells.
 */
export type Ringer = { name: string; isOn: boolean; isBell: boolean };

// Bells that wait for other processes.
const asking = new Map<string, (first: string) => void>();
const turnKey = ({ companyId, bell }: RingTurn) => `${companyId}:${bell}`;

/**
 * Whether a bell rings, which may not see other tabs. Of one session a portal with sound comes first, then one bell.
 * Other processes have half a second to name a stream.
 */
export async function bellRings({ accountId, employee }: Reader, bell: string): Promise<boolean> {
  const turn = { companyId: employee.companyId, accountId, bell };
  let first = findFirst(turn) ?? `2${bell}`;
  if (!isPortal(first))
    await new Promise<void>((resolve) => {
      asking.set(turnKey(turn), (other) => {
        if (other < first) first = other;
        if (isPortal(first)) resolve();
      });
      announce(turn);
      setTimeout(resolve, 500);
    });
  asking.delete(turnKey(turn));
  return first.slice(1) === bell;
}

const isPortal = (rank: string) => rank.startsWith('0');

// Who rings of this process. The order of these ranks is the same in every process.
function findFirst({ companyId, accountId, bell }: RingTurn): string | undefined {
  const session = bell.slice(0, bell.indexOf(':') + 1);
  const ringers = [...(ofAccounts.get(`${companyId}:${accountId}`) ?? [])].map(({ ringer }) => ringer);
  const audible = ringers.filter(({ name, isOn }) => isOn && name.startsWith(session));
  return audible.map(({ name, isBell }) => `${isBell ? 1 : 0}${name}`).sort()[0];
}

onWakeUp((wakeUp) => {
  if (typeof wakeUp === 'number' || !('bell' in wakeUp)) return;
  const { first, ...turn } = wakeUp;
  if (first) return asking.get(turnKey(turn))?.(first);
  const own = findFirst(turn);
  if (own) announce({ ...turn, first: own });
});

/**
 * Opens a stream of every notification after number `after`, first the missed ones; the id of an event is its number. A
 * ping every 8 s carries the newest number. The portal resumes by number when it ends: after 15 to 30 minutes, with the
 * session (event `ended`), for a slow client, or when the account opens too many. False at the limit.
 */
export function openStream(session: CachedSession, ringer: Ringer, after: number, openSink: () => Sink): boolean {
  if (openCount >= maxStreams()) return false;
  const stream = new Stream(session, ringer, after, openSink());
  void stream.start();
  return true;
}

// A process may hold tens of thousands of streams, so each one stays small.
class Stream implements FeedSubscriber {
  readonly session: CachedSession;
  readonly ringer: Ringer;
  private readonly sink: Sink;
  private readonly slot = slots.reduce((smallest, slot) => (slot.size < smallest.size ? slot : smallest));
  private readonly endsAt =
    performance.now() + 1000 * (lifetimeS.min + Math.random() * (lifetimeS.max - lifetimeS.min));
  private readonly ofAccount: Set<Stream>;
  private cursor: number;
  private state: 'replaying' | 'live' | 'ended' = 'replaying';

  constructor(session: CachedSession, ringer: Ringer, after: number, sink: Sink) {
    this.session = session;
    this.ringer = ringer;
    this.cursor = after;
    this.sink = sink;
    openCount += 1;
    const account = accountKey(session);
    this.ofAccount = ofAccounts.get(account) ?? new Set();
    const [oldest] = this.ofAccount;
    if (this.ofAccount.size === maxPerAccount) oldest?.end(encodeEvent(`retry: ${maxRetryMs}\n\n`));
    ofAccounts.set(account, this.ofAccount.add(this));
    this.slot.add(this);
    session.feed.subscribers.add(this);
    timer ??= startPings();
    sink.onClose(() => this.end());
  }

  async start(): Promise<void> {
    this.write(opening);
    // One ring stands for all that was sent before, however slowly it arrives.
    const newest = Math.max(this.session.feed.lastNo, this.session.lastNo);
    if (newest > this.cursor) this.write(encodeEvent(`event: missed\ndata: ${newest}\n\n`));
    try {
      await this.replay();
    } catch {
      return this.end();
    }
    if (this.state !== 'replaying') return;
    this.state = 'live';
    // The session may have ended during the replay, after the check of the company's sessions.
    if (this.session.accessNo !== this.session.feed.accessNo) this.end();
    else this.ping();
  }

  // Reads the database until the cache reaches back far enough. From there to `live` is one
  // synchronous step, so that nothing is announced in between.
  private async replay(): Promise<void> {
    const { feed, employee } = this.session;
    while (this.state === 'replaying') {
      const cached = listCached(this.session, this.cursor);
      if (cached) {
        for (const { event } of cached) this.write(event);
        this.cursor = Math.max(this.cursor, feed.lastNo);
        return;
      }
      // A client that does not read must not fill the memory; it resumes later.
      if (this.sink.countPendingBytes() > maxPendingBytes) return this.end();
      const complete = Math.max(feed.lastNo, this.session.lastNo);
      const items = await lookupQueue(() => listInboxSince(employee, this.cursor));
      for (const item of items) this.write(encodeEvent(`id: ${item.no}\ndata: ${JSON.stringify(asItem(item))}\n\n`));
      const isFullPage = items.length === catchUpSize;
      const from = this.cursor;
      this.cursor = Math.max(this.cursor, items.at(-1)?.no ?? 0, isFullPage ? 0 : complete);
      const { withdrawn, corrected } = await lookupQueue(() => listChangesSince(employee, from, this.cursor));
      for (const [name, numbers] of Object.entries({ withdrawn, corrected }))
        if (numbers.length > 0) this.write(encodeNamed(name, this.cursor, JSON.stringify(numbers)));
    }
  }

  deliver(announcement: Announcement): void {
    const { no, event } = announcement;
    if (this.state !== 'live' || no <= this.cursor || !isAddressedTo(announcement, this.session.employee)) return;
    if (this.resetIfSlow()) return;
    this.cursor = no;
    this.write(event);
  }

  deliverMoved(text: string): void {
    if (this.state === 'live' && !this.resetIfSlow()) this.write(encodeNamed('moved', this.cursor, text));
  }

  /** Runs once per ping interval: ends the stream when its time is over, otherwise pings. */
  tick(now: number): void {
    const { session } = this;
    session.usedAt = now;
    session.feed.usedAt = now;
    if (this.resetIfSlow()) return;
    if (session.endsAt <= now) this.end(sessionEnded);
    else if (this.endsAt <= now) this.end();
    else this.ping();
  }

  private ping(): void {
    const { feed } = this.session;
    if (this.state !== 'live' || !feed.isFresh) return;
    const { no, ping } = feed.newestDelivered;
    this.cursor = Math.max(this.cursor, no);
    this.write(this.cursor === no ? ping : encodePing(this.cursor));
  }

  // Called before a write: after it, the bytes may just be in transit.
  private resetIfSlow(): boolean {
    if (this.sink.countPendingBytes() <= maxPendingBytes) return false;
    this.sink.reset();
    this.end();
    return true;
  }

  private write(event: StreamEvent): void {
    if (this.state !== 'ended') this.sink.write(event);
  }

  end(lastEvent?: StreamEvent): void {
    if (this.state === 'ended') return;
    if (lastEvent) this.sink.write(lastEvent);
    this.state = 'ended';
    openCount -= 1;
    this.slot.delete(this);
    this.session.feed.subscribers.delete(this);
    this.ofAccount.delete(this);
    if (this.ofAccount.size === 0) ofAccounts.delete(accountKey(this.session));
    this.sink.close();
  }
}

function startPings(): NodeJS.Timeout {
  return setInterval(() => {
    currentSlot = (currentSlot + 1) % slots.length;
    const now = performance.now();
    for (const stream of slots[currentSlot] ?? []) stream.tick(now);
  }, slotMs).unref();
}

let streamsClosed = false;

const tidyUp = () => {
  removeIdleSessions();
  return flushVisits();
};
const upkeep = makeReconciliation(20_000, tidyUp, 'portal visits could not be written; the next flush tries again');

/** Trims the session cache and writes portal visits every 20 s from now on. Idempotent. */
export const startFeed = upkeep.start;

/** Whether this process refuses streams because it stops; portals then connect to another one. */
export const areStreamsClosed = (): boolean => streamsClosed;

/** Ends all streams, whose portals reconnect within 10 s, and refuses new ones. Polls are answered until `stopFeed`. */
export function closeStreams(): void {
  streamsClosed = true;
  clearInterval(timer);
  timer = undefined;
  for (const slot of slots)
    for (const stream of slot) stream.end(encodeEvent(`retry: ${Math.floor(Math.random() * maxRetryMs)}\n\n`));
}

/** Stops the upkeep and the listener, after a last write of portal visits. */
export async function stopFeed(): Promise<void> {
  void upkeep.stop();
  await flushVisits().catch(() => {});
  await unfollowAll();
}
