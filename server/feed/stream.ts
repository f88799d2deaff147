import { type Announcement, concerns, withdrawnEvent } from '#server/feed/company-feed.ts';
import { type Remembered, recallSince, watchSession } from '#server/feed/remembered.ts';
import { notificationsSince, withdrawnSince } from '#server/inbox.ts';
import { asItem } from '#server/inbox-item.ts';

/** Where a stream's bytes go. `waiting` says how many of them a slow reader has not taken yet; `drop` leaves those unsent. */
export type Sink = {
  write: (bytes: Uint8Array | string) => void;
  waiting: () => number;
  close: () => void;
  drop: () => void;
};

const pingEveryS = 8;
const livesS = { from: 50, to: 60 };
const mostWaitingBytes = 128 * 1024;
const mostPerAccount = 12;

type Stream = {
  person: Remembered;
  cursor: number;
  endsAt: number;
  isOpen: () => boolean;
  ping: () => void;
  end: (farewell?: string) => void;
};

// One slot for each second of the ping's interval, so that pings of thousands of streams are spread.
const slots: Set<Stream>[] = Array.from({ length: pingEveryS }, () => new Set<Stream>());
const perAccount = new Map<number, number>();
let second = 0;
let timer: NodeJS.Timeout | undefined;

/** How many streams are open in this process. */
export function countStreams(): number {
  return slots.reduce((sum, slot) => sum + slot.size, 0);
}

/**
 * Writes to `sink` every notification of this person after number `after`, as server-sent events whose id is the number: first
 * what was missed, then what comes. A ping each 8 s carries the newest number. The stream ends by itself after about a minute
 * (so a reader that is gone is forgotten), when the session ends (event `ended`), or when the reader is too slow;
 * the portal then resumes by number. Returns how to close it, or null when the account already has 12 open.
 */
export function openStream(person: Remembered, after: number, sink: Sink): (() => void) | null {
  const slot = leastSlot();
  const { accountId } = person.account;
  const opened = perAccount.get(accountId) ?? 0;
  if (opened >= mostPerAccount) return null;
  perAccount.set(accountId, opened + 1);
  let live = false;
  let open = true;
  const write = (bytes: Uint8Array | string) => {
    if (open) sink.write(bytes);
  };
  const reader = {
    take: (announcement: Announcement) => {
      if (!live || announcement.no <= stream.cursor || !concerns(announcement, person.employee)) return;
      stream.cursor = announcement.no;
      write(announcement.event);
    },
    restart: () => stream.end(),
  };
  const stream: Stream = {
    person,
    cursor: after,
    endsAt: Date.now() + 1000 * (livesS.from + Math.random() * (livesS.to - livesS.from)),
    isOpen: () => open,
    ping: () => {
      // Not right after a write: what was just written always waits.
      if (sink.waiting() > mostWaitingBytes) {
        sink.drop();
        return stream.end();
      }
      if (!live || !person.feed.fresh) return;
      stream.cursor = Math.max(stream.cursor, person.feed.lastNo);
      write(`event: ping\nid: ${stream.cursor}\ndata: ${stream.cursor}\n\n`);
    },
    end: (farewell) => {
      if (!open) return;
      if (farewell) sink.write(farewell);
      open = false;
      slot.delete(stream);
      forgetOne(accountId);
      person.feed.readers.delete(reader);
      unwatch();
      sink.close();
    },
  };
  const unwatch = watchSession(person, () => stream.end('event: ended\ndata: ended\n\n'));
  slot.add(stream);
  person.feed.readers.add(reader);
  timer ??= startPings();
  write(': open\n\n');
  replay(stream, write).then(
    () => {
      live = true;
      // A session that ended while this was opened is watched by nobody yet.
      if (person.accessNo !== person.feed.accessNo) stream.end();
      else stream.ping();
    },
    () => stream.end(),
  );
  return () => stream.end();
}

// What was missed comes from the database as long as it is older than what is remembered; the step from there to `live` is synchronous.
async function replay(stream: Stream, write: (bytes: Uint8Array | string) => void): Promise<void> {
  const { feed, employee } = stream.person;
  while (stream.isOpen()) {
    const known = recallSince(stream.person, stream.cursor);
    if (known) {
      for (const { event } of known) write(event);
      stream.cursor = Math.max(stream.cursor, feed.lastNo);
      return;
    }
    const complete = Math.max(feed.lastNo, stream.person.lastNo);
    const items = await notificationsSince(employee, stream.cursor);
    for (const item of items) write(`id: ${item.no}\ndata: ${JSON.stringify(asItem(item))}\n\n`);
    const full = items.length === 50;
    const from = stream.cursor;
    stream.cursor = Math.max(stream.cursor, items.at(-1)?.no ?? 0, full ? 0 : complete);
    const withdrawn = await withdrawnSince(employee, from, stream.cursor);
    if (withdrawn.length > 0) write(withdrawnEvent(stream.cursor, withdrawn));
  }
}

/** Ends every stream of this process; each portal is told to wait its own random time of up to 10 s before it comes back. */
export function endAllStreams(): void {
  clearInterval(timer);
  timer = undefined;
  for (const slot of slots) for (const stream of slot) stream.end(`retry: ${Math.floor(Math.random() * 10_000)}\n\n`);
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
    second = (second + 1) % pingEveryS;
    for (const stream of slots[second] ?? []) {
      const now = Date.now();
      stream.person.usedAt = now;
      stream.person.feed.usedAt = now;
      if (stream.person.expiresAt <= now) stream.end('event: ended\ndata: ended\n\n');
      else if (stream.endsAt <= now) stream.end();
      else stream.ping();
    }
  }, 1000);
  every.unref();
  return every;
}
