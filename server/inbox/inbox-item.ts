import type { InboxItem } from '#server/inbox/inbox.ts';
import type { UnreadCount } from '#server/inbox/unread.ts';
import { isInternalPath } from '#server/notifications/field-rules.ts';

/** A notification for the browser; `href` only for a link that passed a second check. */
export type Item = ReturnType<typeof asItem>;

/** Converts a stored notification for the browser. A link that fails the check becomes text (contract §6). */
export function asItem({ url, createdAt, confirmedAt, correctedAt, snoozedUntil, ...item }: InboxItem) {
  const isLink = url !== null && isInternalPath(url);
  const times = {
    createdAt: createdAt.toISOString(),
    confirmedAt: confirmedAt?.toISOString() ?? null,
    correctedAt: correctedAt?.toISOString() ?? null,
    ...(snoozedUntil && { snoozedUntil: snoozedUntil.toISOString() }),
  };
  return { ...item, ...times, href: isLink ? url : null, refusedUrl: isLink ? null : url };
}

/**
 * A response of the feed: the newest number that it covers, the new items, and what was withdrawn and corrected since.
 * If it was requested, the unread count and what came back from a snooze. `titlesOnly`: the provider has not confirmed
 * the session. `endsSoon`: within an hour. `missedUpTo`: the company's newest number when it was asked.
 */
export type FeedAnswer = {
  newest: number;
  missedUpTo?: number;
  items: Item[];
  withdrawn: number[];
  corrected: number[];
  unread: UnreadCount | null;
  back?: Item[];
  titlesOnly?: boolean;
  endsSoon?: boolean;
};
