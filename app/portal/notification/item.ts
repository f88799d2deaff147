import type { Item } from '#server/inbox/inbox-item.ts';

/**
 * A notification in an open list. It keeps its place until the list is left, so that nothing slides
 * under a finger. `moved` says where it went meanwhile; `onTop`, that it was back from a snooze.
 */
export type ListedItem = Item & { moved?: 'archive' | 'snoozed' | 'inbox' | 'withdrawn'; onTop?: boolean };

export const itemAddress = (no: number): string => `/portal/notifications/${no}`;

/** Whether a notification is in the archive or snoozed. */
export const isAway = ({ archived, moved, snoozedUntil, back }: ListedItem): boolean =>
  archived === true || moved === 'snoozed' || (Boolean(snoozedUntil) && !back);

/** Whether the employee has still to confirm a notification. A reminder is none of its own. */
export const waitsForConfirmation = ({ mustConfirm, confirmedAt, remindsNo }: Item): boolean =>
  mustConfirm && !confirmedAt && remindsNo === null;
