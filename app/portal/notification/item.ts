import type { ListedItem } from '#app/portal/live/store/mark-log.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

export const itemAddress = (no: number): string => `/portal/notifications/${no}`;

/** Whether a notification is in the archive or snoozed. */
export const isAway = ({ archived, moved, snoozedUntil, back }: ListedItem): boolean =>
  archived === true || moved === 'snoozed' || (Boolean(snoozedUntil) && !back);

/** The answer that the employee gave. */
export const answerOf = ({ answers, answer }: Pick<Item, 'answers' | 'answer'>): string | undefined =>
  answer === null ? undefined : answers?.[answer - 1];

/** Whether the employee has still to confirm a notification. A reminder asks for no confirmation of its own. */
export const waitsForConfirmation = ({ mustConfirm, confirmedAt, remindsNo }: Item): boolean =>
  mustConfirm && !confirmedAt && remindsNo === null;
