import { encodeCorrected, encodeEvent, encodeWithdrawn, type StreamEvent } from '#server/feed/event.ts';
import type { InboxItem } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';
import { severalRecipients } from '#server/notifications/audience.ts';
import type { Employee } from '#server/principals.ts';

/**
 * What a company's feed delivers under one number: a new notification, a withdrawal or a correction.
 * A notification is in `json` (for polls) and `event` (for streams), and `withdrawn` is null.
 * A withdrawal lists the numbers of the withdrawn notifications in `withdrawn`. A correction has those of
 * the corrected ones in `corrected`, without their text: a portal asks for what is in its inbox.
 * `recipientId` is null when it is for everyone. `several` are the ids, in ascending order, of those
 * whom a send to roles or to chosen people reached.
 */
export type Announcement = {
  no: number;
  recipientId: number | null;
  several: Int32Array | null;
  json: string;
  withdrawn: number[] | null;
  corrected: number[] | null;
  event: StreamEvent;
};

/**
 * A row of the feed's query: the company's counters and one notification; `no` is null when there
 * is none.
 */
export type FeedRow = Omit<InboxItem, 'no'> & {
  lastNo: number;
  accessNo: number;
  no: number | null;
  recipientId: number | null;
  withdraws: number | null;
  corrects: number | null;
};

/**
 * Whether an announcement is for this employee. Valid only for an employee who was active without a
 * break since the announcement was made.
 */
export function isAddressedTo({ recipientId, several }: Announcement, { employeeId }: Employee): boolean {
  return several ? isAmong(several, employeeId) : recipientId === null || recipientId === employeeId;
}

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

/** The recipients of sends to roles or to chosen people, by the number of the notification. */
export type Several = Map<number, Int32Array>;

/** Converts rows to announcements, in the order of the rows. */
export function asAnnouncements(rows: FeedRow[], several: Several): Announcement[] {
  return [...Map.groupBy(rows, ({ no }) => no)]
    .map(([no, group]) => (no === null ? null : asAnnouncement(no, group, several)))
    .filter((announcement) => announcement !== null);
}

// A withdrawal or a correction is about a notification and its reminders under one number; a
// notification is one row.
function asAnnouncement(no: number, rows: FeedRow[], several: Several): Announcement | null {
  const [first] = rows;
  if (!first) return null;
  const { lastNo, accessNo, recipientId, withdraws, corrects, ...item } = first;
  if (withdraws === null && corrects === null) {
    const json = JSON.stringify(asItem({ ...item, no }));
    const event = encodeEvent(`id: ${no}\ndata: ${json}\n\n`);
    return { no, recipientId, several: severalOf(rows, several), json, withdrawn: null, corrected: null, event };
  }
  const numbers = rows.flatMap((row) => row.withdraws ?? row.corrects ?? []);
  const isForAll = rows.some((row) => row.recipientId === null);
  const changed =
    withdraws === null
      ? { withdrawn: null, corrected: numbers, event: encodeCorrected(no, numbers) }
      : { withdrawn: numbers, corrected: null, event: encodeWithdrawn(no, numbers) };
  if (isForAll) return { no, recipientId: null, several: null, json: '', ...changed };
  return { no, recipientId, several: severalOf(rows, several), json: '', ...changed };
}

// With a send to several, its reminders are withdrawn. They are for some of its recipients.
function severalOf(rows: FeedRow[], several: Several): Int32Array | null {
  const sets = rows
    .filter(({ recipientId }) => recipientId === severalRecipients)
    .map(({ no, withdraws, corrects }) => several.get(withdraws ?? corrects ?? no ?? 0) ?? new Int32Array());
  return sets.length === 0 ? null : sets.reduce((largest, set) => (set.length > largest.length ? set : largest));
}
