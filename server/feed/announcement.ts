import type { InboxItem } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';
import type { Employee } from '#server/principals.ts';

/** A server-sent event, encoded once. `chunk` is `plain` as a chunk of HTTP/1.1. */
export type StreamEvent = { plain: Buffer; chunk: Buffer };

/** Encodes the text of an event. The text includes the blank line at its end. */
export function encodeEvent(text: string): StreamEvent {
  const size = `${Buffer.byteLength(text).toString(16)}\r\n`;
  const chunk = Buffer.from(`${size}${text}\r\n`);
  return { plain: chunk.subarray(size.length, -2), chunk };
}

/** The last event of a stream whose session has ended. */
export const sessionEnded = encodeEvent('event: ended\ndata: ended\n\n');

/** Encodes an event with a name; `no` becomes its id. */
export const encodeNamed = (name: string, no: number, data: string): StreamEvent =>
  encodeEvent(`event: ${name}\nid: ${no}\ndata: ${data}\n\n`);

/** Encodes the ping of a stream, which carries the company's newest number. */
export const encodePing = (no: number): StreamEvent => encodeNamed('ping', no, `${no}`);

/**
 * What a feed delivers under one number: a notification (`json` for polls, `event` for streams), a withdrawal or a
 * correction. `people`: those of a send to a list, ascending. Without them, a null `recipientId` is everyone.
 */
export type Announcement = {
  no: number;
  announcedAt: number;
  recipientId: number | null;
  people: Int32Array | null;
  json: string;
  withdrawn: number[] | null;
  corrected: number[] | null;
  event: StreamEvent;
};

/** A row of the feed's query: counters and one notification, or none when `no` is null. */
export type FeedRow = Omit<InboxItem, 'no'> & {
  lastNo: number;
  accessNo: number;
  ageMs: number;
  no: number | null;
  recipientId: number | null;
  isListed: boolean;
  withdrawnNo: number | null;
  correctedNo: number | null;
};

export const isToEveryone = ({ recipientId, isListed }: FeedRow): boolean => recipientId === null && !isListed;

/** Whether an announcement is for an employee who has been active without a break since then. */
export const isAddressedTo = ({ recipientId, people }: Announcement, { employeeId }: Employee): boolean =>
  people ? isAmong(people, employeeId) : recipientId === null || recipientId === employeeId;

// A role may have 100,000 people, and each of their streams asks.
function isAmong(sorted: Int32Array, id: number): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? 0) < id) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === id;
}

/** The recipients of sends to lists, in ascending order, by the number of the notification. */
export type Lists = Map<number, Int32Array>;

export function asAnnouncements(rows: FeedRow[], lists: Lists): Announcement[] {
  const groups = [...Map.groupBy(rows, ({ no }) => no)];
  return groups.flatMap(([no, group]) => (no === null ? [] : asAnnouncement(no, group, lists)));
}

// A withdrawal or a correction has a row for the notification and for each of its reminders.
function asAnnouncement(no: number, rows: FeedRow[], lists: Lists): Announcement | [] {
  const [first] = rows;
  if (!first) return [];
  const { lastNo, accessNo, ageMs, recipientId, isListed, withdrawnNo, correctedNo, ...item } = first;
  const announced = { no, announcedAt: performance.now() - ageMs };
  if (withdrawnNo === null && correctedNo === null) {
    const json = JSON.stringify(asItem({ ...item, no }));
    const event = encodeEvent(`id: ${no}\ndata: ${json}\n\n`);
    return { ...announced, recipientId, people: peopleOf(rows, lists), json, withdrawn: null, corrected: null, event };
  }
  const numbers = rows.flatMap((row) => row.withdrawnNo ?? row.correctedNo ?? []);
  const isForAll = rows.some(isToEveryone);
  const changed =
    withdrawnNo === null
      ? { withdrawn: null, corrected: numbers, event: encodeNamed('corrected', no, JSON.stringify(numbers)) }
      : { withdrawn: numbers, corrected: null, event: encodeNamed('withdrawn', no, JSON.stringify(numbers)) };
  if (isForAll) return { ...announced, recipientId: null, people: null, json: '', ...changed };
  return { ...announced, recipientId, people: peopleOf(rows, lists), json: '', ...changed };
}

// The reminders of a send to a list reach some of its recipients, so the longest list counts.
function peopleOf(rows: FeedRow[], lists: Lists): Int32Array | null {
  const listed = rows
    .filter(({ isListed }) => isListed)
    .map(({ no, withdrawnNo, correctedNo }) => lists.get(withdrawnNo ?? correctedNo ?? no ?? 0) ?? new Int32Array());
  return listed.length === 0 ? null : listed.reduce((longest, list) => (list.length > longest.length ? list : longest));
}
