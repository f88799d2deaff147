import type { InboxItem } from '#server/inbox/inbox.ts';
import { isInternalPath } from '#server/notifications/internal-path.ts';

/** A notification as the browser gets it. `href` is set only for a link that passed the check a second time. */
export type Item = Omit<InboxItem, 'createdAt' | 'confirmedAt' | 'url'> & {
  createdAt: string;
  confirmedAt: string | null;
  href: string | null;
  refusedUrl: string | null;
};

/** Prepares a stored notification for the browser; a stored link that fails the check is text (contract §6). */
export function asItem({ url, createdAt, confirmedAt, ...item }: InboxItem): Item {
  const good = url !== null && isInternalPath(url);
  const times = { createdAt: createdAt.toISOString(), confirmedAt: confirmedAt?.toISOString() ?? null };
  return { ...item, ...times, href: good ? url : null, refusedUrl: good ? null : url };
}

/**
 * How many are unread (1,000: so many or more), counted at `at` (ms, the database's clock) when `asOf` was the newest number of the
 * company.
 */
export type UnreadCount = { count: number; asOf: number; at: number };

/**
 * The answer of the feed: the company's newest number, what is new, the numbers of what was withdrawn since, and the unread
 * count when it was asked for.
 */
export type FeedAnswer = { newest: number; items: Item[]; withdrawn: number[]; unread: UnreadCount | null };
