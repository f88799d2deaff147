'use server';

import { z } from 'zod';
import { done, refused } from '#app/ui/forms/fields.ts';
import { employeeAction, employeeSessionAction } from '#app/ui/forms/guarded-action.ts';
import { confirmNotification } from '#server/inbox/confirmations.ts';
import { markAllRead, markRead, recordShown, undoMarkAllRead } from '#server/inbox/read-state.ts';
import { countUnread } from '#server/inbox/unread.ts';

const NotificationNo = z.int().positive().max(Number.MAX_SAFE_INTEGER);

/** Marks one of the employee's notifications read or unread. Returns the new unread count. */
export const markReadAction = employeeAction(
  z.object({ no: NotificationNo, read: z.boolean() }),
  async (employee, { no, read }) => {
    if ((await markRead(employee, no, read)) === 'not-in-inbox') return refused({ form: 'not-in-inbox' });
    return done({ unread: await countUnread(employee) });
  },
);

/**
 * Marks all notifications up to a number as read. Returns the new unread count and the input of the
 * undo action.
 */
export const markAllReadAction = employeeAction(z.object({ upTo: NotificationNo }), async (employee, { upTo }) => {
  const marked = await markAllRead(employee, upTo);
  return done({ marked, unread: await countUnread(employee) });
});

const MarkedAll = z.object({
  before: z.int().nonnegative(),
  upTo: NotificationNo,
  reopened: z.array(NotificationNo).max(1000),
});

/**
 * Undoes `markAllReadAction`. Takes the value that action returned. Returns the new unread count.
 */
export const undoMarkAllReadAction = employeeAction(MarkedAll, async (employee, marked) => {
  if (!(await undoMarkAllRead(employee, marked))) return refused({ form: 'too-late' });
  return done({ unread: await countUnread(employee) });
});

/**
 * Confirms that the employee has read and understood a notification. Returns the time and the new
 * unread count.
 */
export const confirmAction = employeeSessionAction(z.object({ no: NotificationNo }), async (session, { no }) => {
  const confirmed = await confirmNotification(session, no);
  if (typeof confirmed === 'string') return refused({ form: confirmed });
  const unread = await countUnread(session.employee);
  return done({ confirmedAt: confirmed.confirmedAt.toISOString(), unread });
});

/** Records that the employee has seen these notifications (at most 100 numbers). */
export const recordShownAction = employeeAction(
  z.object({ numbers: z.array(NotificationNo).max(100) }),
  async (employee, { numbers }) => {
    await recordShown(employee, numbers);
    return done(null);
  },
);
