import { encodeEvent, encodeWithdrawn, type StreamEvent } from '#server/feed/event.ts';
import type { InboxItem } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';
import type { Employee } from '#server/principals.ts';

/**
 * What a company's feed delivers under one number: a new notification, or a withdrawal.
 * A notification is in `json` (for polls) and `event` (for streams), and `withdrawn` is null.
 * A withdrawal lists the numbers of the withdrawn notifications in `withdrawn`.
 * `recipientId` is null when it is for everyone.
 */
export type Announcement = {
  no: number;
  recipientId: number | null;
  json: string;
  withdrawn: number[] | null;
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
};

/**
 * Whether an announcement is for this employee. Valid only for an employee who was active without a
 * break since the announcement was made.
 */
export function isAddressedTo({ recipientId }: Announcement, { employeeId }: Employee): boolean {
  return recipientId === null || recipientId === employeeId;
}

/** Converts rows to announcements, in the order of the rows. */
export function asAnnouncements(rows: FeedRow[]): Announcement[] {
  return [...Map.groupBy(rows, ({ no }) => no)]
    .map(([no, group]) => (no === null ? null : asAnnouncement(no, group)))
    .filter((announcement) => announcement !== null);
}

// A withdrawal takes back a notification and its reminders under one number; a notification is one
// row.
function asAnnouncement(no: number, rows: FeedRow[]): Announcement | null {
  const [first] = rows;
  if (!first) return null;
  const { lastNo, accessNo, recipientId, withdraws, ...item } = first;
  if (withdraws === null) {
    const json = JSON.stringify(asItem({ ...item, no }));
    return { no, recipientId, json, withdrawn: null, event: encodeEvent(`id: ${no}\ndata: ${json}\n\n`) };
  }
  const withdrawn = rows.flatMap((row) => row.withdraws ?? []);
  const isForAll = rows.some((row) => row.recipientId === null);
  const event = encodeWithdrawn(no, withdrawn);
  return { no, recipientId: isForAll ? null : recipientId, json: '', withdrawn, event };
}
