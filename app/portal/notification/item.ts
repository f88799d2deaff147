import type { ListedItem } from '#app/portal/live/store/mark-log.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

export const itemAddress = (no: number): string => `/portal/notifications/${no}`;

/** Whether a notification is in the archive or snoozed. */
export const isAway = ({ archived, moved, snoozedUntil, back }: ListedItem): boolean =>
  archived === true || moved === 'snoozed' || (Boolean(snoozedUntil) && !back);

/** Whether the employee has still to confirm a notification. A reminder asks for no confirmation of its own. */
export const waitsForConfirmation = ({ mustConfirm, confirmedAt, remindsNo }: Item): boolean =>
  mustConfirm && !confirmedAt && remindsNo === null;
