import type { Item } from '#server/inbox/inbox-item.ts';

export const itemAddress = (no: number): string => `/portal/notifications/${no}`;

/** Whether the employee has still to confirm a notification. A reminder is none of its own. */
export const waitsForConfirmation = ({ mustConfirm, confirmedAt, remindsNo }: Item): boolean =>
  mustConfirm && !confirmedAt && remindsNo === null;
