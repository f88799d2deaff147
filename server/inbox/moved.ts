import { announce } from '#db/wake-ups.ts';
import type { UnreadCount } from '#server/inbox/unread.ts';
import type { Employee, Session } from '#server/principals.ts';

/** Which notifications a person has moved: out of the inbox, or back into it. Of many, the newest. */
export type MovedNotifications = { moved: number[]; to: 'archive' | 'snoozed' } | { returned: number[] };

/** What the other devices of a person are told: what was moved, and the unread count after it. */
export type MovedMessage = { moved: MovedNotifications; unread: UnreadCount };

/** Tells the open streams of a person's other devices what this one has moved. Returns at once. */
export function tellOtherDevices(
  { employee: { companyId, employeeId }, sessionId }: Pick<Session, 'sessionId'> & { employee: Employee },
  message: MovedMessage,
): void {
  announce({ companyId, employeeId, sessionId, text: JSON.stringify(message) });
}
