import { type Event, encodeEvent, encodeWithdrawn } from '#server/feed/event.ts';
import type { InboxItem } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';
import type { Employee } from '#server/principals.ts';

/**
 * News ready to be written: a notification, as JSON for a poll and the same bytes as an event for every stream; or, with a number
 * of its own, that the notifications in `withdrawn` were withdrawn.
 */
export type Announcement = {
  no: number;
  recipientId: number | null;
  json: string;
  withdrawn: number[] | null;
  event: Event;
};

/** One row of news, beside the numbers of its company; `no` is null when there is none. */
export type NewsRow = Omit<InboxItem, 'no'> & {
  lastNo: number;
  accessNo: number;
  no: number | null;
  recipientId: number | null;
  withdraws: number | null;
};

/** Whether an announcement is for this person; only for people who were active all the time since it was made. */
export function concerns({ recipientId }: Announcement, { employeeId }: Employee): boolean {
  return recipientId === null || recipientId === employeeId;
}

/** What the rows announce, in their order. */
export function asAnnouncements(rows: NewsRow[]): Announcement[] {
  const news = [...Map.groupBy(rows, ({ no }) => no)].map(([no, ofNo]) =>
    no === null ? null : asAnnouncement(no, ofNo),
  );
  return news.filter((one) => one !== null);
}

// What has one number is one notification, or all that one withdrawal took back: a notification and the reminders of it.
function asAnnouncement(no: number, rows: NewsRow[]): Announcement | null {
  const [first] = rows;
  if (!first) return null;
  const { lastNo, accessNo, recipientId, withdraws, ...item } = first;
  if (withdraws === null) {
    const json = JSON.stringify(asItem({ ...item, no }));
    return { no, recipientId, json, withdrawn: null, event: encodeEvent(`id: ${no}\ndata: ${json}\n\n`) };
  }
  const withdrawn = rows.flatMap((row) => row.withdraws ?? []);
  const forAll = rows.some((row) => row.recipientId === null);
  const event = encodeWithdrawn(no, withdrawn);
  return { no, recipientId: forAll ? null : recipientId, json: '', withdrawn, event };
}
