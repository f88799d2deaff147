'use server';

import { z } from 'zod';
import { done, PushSubscriptionFields, refused, TimeZone } from '#app/ui/forms/fields.ts';
import {
  employeeAction,
  employeeSessionAction,
  readerAction,
  readerBackgroundAction,
} from '#app/ui/forms/guarded-action.ts';
import { archive, type MovedNotifications, returnToInbox, snooze, tellOtherDevices } from '#server/inbox/moves.ts';
import { changePreferences, silence } from '#server/inbox/preferences.ts';
import { confirmNotification, markAllRead, markRead, recordShown, undoMarkAllRead } from '#server/inbox/read-state.ts';
import { countUnread, type UnreadCount } from '#server/inbox/unread.ts';
import { maxAnswers } from '#server/notifications/field-rules.ts';
import { kinds, sounds } from '#server/notifications/kinds.ts';
import type { Employee, Session } from '#server/principals.ts';
import { addSubscription, removeSubscription } from '#server/push/push.ts';

const NotificationNo = z.int().positive().max(Number.MAX_SAFE_INTEGER);

/** Marks one of the employee's notifications read or unread. Returns the new unread count. */
export const markReadAction = readerAction(
  z.object({ no: NotificationNo, read: z.boolean() }),
  async (employee, { no, read }) => {
    if ((await markRead(employee, no, read)) === 'not-in-inbox') return refused({ form: 'not-in-inbox' });
    return done({ unread: await countUnread(employee) });
  },
);

/** Returns the new unread count and the input of the undo action. */
export const markAllReadAction = employeeAction(z.object({ upTo: NotificationNo }), async (employee, { upTo }) => {
  const marked = await markAllRead(employee, upTo);
  return done({ marked, unread: await countUnread(employee) });
});

const MarkedAll = z.object({
  before: z.int().nonnegative(),
  upTo: NotificationNo,
  reopened: z.array(NotificationNo).max(1000),
  back: z.array(NotificationNo).max(1000),
});

/** Takes what `markAllReadAction` returned. Returns the new unread count. */
export const undoMarkAllReadAction = employeeAction(MarkedAll, async (employee, marked) => {
  if (!(await undoMarkAllRead(employee, marked))) return refused({ form: 'too-late' });
  return done({ unread: await countUnread(employee) });
});

// Pages of the version before know no answer.
const Confirmation = z.object({ no: NotificationNo, answer: z.int().min(1).max(maxAnswers).nullable().default(null) });

/** The employee has read and understood it, or gives an answer. Returns the time and the new unread count. */
export const confirmAction = employeeSessionAction.within('answer')(Confirmation, async (session, { no, answer }) => {
  const confirmed = await confirmNotification(session, no, answer);
  if (typeof confirmed === 'string') return refused({ form: confirmed });
  const unread = await countUnread(session.employee);
  return done({ confirmedAt: confirmed.confirmedAt.toISOString(), unread });
});

/** Records that the employee has seen these notifications (at most 100 numbers). */
export const recordShownAction = readerBackgroundAction(
  z.object({ numbers: z.array(NotificationNo).max(100) }),
  async (employee, { numbers }) => done(await recordShown(employee, numbers)),
);

// Counts what is unread and tells the other devices of the person what this one has moved.
async function countMoved(session: Session & { employee: Employee }, moved: MovedNotifications): Promise<UnreadCount> {
  const unread = await countUnread(session.employee);
  tellOtherDevices(session, { moved, unread });
  return unread;
}

/** Archives a notification, read unless it must be confirmed. Returns what it was, for `returnAction`. */
export const archiveOneAction = employeeSessionAction(z.object({ no: NotificationNo }), async (session, { no }) => {
  const before = await archive(session.employee, no);
  if (typeof before === 'string') return refused({ form: before });
  return done({ before, unread: await countMoved(session, { moved: [no], to: 'archive' }) });
});

/** Moves a notification back to the inbox. `unread` and `back` say what it was before it left. */
export const returnAction = employeeSessionAction(
  z.object({ no: NotificationNo, unread: z.boolean(), back: z.boolean() }),
  async (session, { no, ...before }) => {
    if ((await returnToInbox(session.employee, no, before)) === 'not-away') return refused({ form: 'not-away' });
    return done({ unread: await countMoved(session, { returned: [no] }) });
  },
);

const MinuteOfDay = z.int().min(0).max(1439);
const SnoozeTime = z.union([
  z.enum(['hour', 'evening', 'morning']),
  z.object({ day: z.iso.date(), minute: MinuteOfDay }),
]);

/** Takes a notification out of the inbox until a time. Returns what it was, for `returnAction`. */
export const snoozeAction = employeeSessionAction(
  z.object({ no: NotificationNo, time: SnoozeTime }),
  async (session, { no, time }) => {
    const snoozed = await snooze(session.employee, no, time);
    if (typeof snoozed === 'string') return refused({ form: snoozed });
    const unread = await countMoved(session, { moved: [no], to: 'snoozed' });
    return done({ before: { unread: false, back: snoozed.back }, unread });
  },
);

const PreferenceChanges = z
  .object({
    mutedKinds: z.array(z.enum(kinds)).max(kinds.length),
    sound: z.enum(sounds),
    hidePrivate: z.boolean(),
    keepPopUps: z.boolean(),
    unreadFirst: z.boolean(),
    quietFrom: MinuteOfDay.nullable(),
    quietUntil: MinuteOfDay.nullable(),
    quietTimeZone: TimeZone.nullable(),
  })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'required')
  // Both or none, and not one minute for both.
  .refine(
    ({ quietFrom: from, quietUntil: until }) => (from == null ? until == null : until != null && from !== until),
    { error: 'invalid', path: ['quietUntil'] },
  );

export const changePreferencesAction = employeeAction(PreferenceChanges, async (employee, changes) =>
  done(await changePreferences(employee, changes)),
);

/** Silences sound and pop-ups for minutes from now; 0 ends it. Returns all preferences. */
export const silenceAction = employeeAction(
  z.object({ minutes: z.int().min(0).max(1440) }),
  async (employee, { minutes }) => done(await silence(employee, minutes)),
);

export const keepSubscriptionAction = employeeSessionAction(PushSubscriptionFields, async (session, subscription) => {
  const added = await addSubscription(session, subscription);
  return added === 'added' ? done(null) : refused({ form: added });
});

export const forgetSubscriptionAction = employeeAction(
  z.object({ endpoint: z.string().max(2000) }),
  async (employee, { endpoint }) => done(await removeSubscription(employee, endpoint)),
);
