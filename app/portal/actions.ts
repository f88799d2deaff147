'use server';

import { z } from 'zod';
import { done, refused, TimeZone } from '#app/ui/forms/fields.ts';
import { employeeAction, employeeSessionAction } from '#app/ui/forms/guarded-action.ts';
import { confirmNotification } from '#server/inbox/confirmations.ts';
import { beSilent, changePreferences } from '#server/inbox/preferences.ts';
import { markAllRead, markRead, noteShown, undoMarkAllRead } from '#server/inbox/read-state.ts';
import { countUnread } from '#server/inbox/unread.ts';
import { kinds } from '#server/notifications/kinds.ts';
import { forgetSubscription, keepSubscription } from '#server/push/push.ts';

const No = z.int().positive().max(Number.MAX_SAFE_INTEGER);

/** Marks one of the person's notifications read or unread; answers how many are unread then. */
export const markReadAction = employeeAction(
  z.object({ no: No, read: z.boolean() }),
  async (employee, { no, read }) => {
    if ((await markRead(employee, no, read)) === 'not-in-inbox') return refused({ form: 'not-in-inbox' });
    return done({ unread: await countUnread(employee) });
  },
);

/** Marks everything up to the newest notification the person had on screen as read; answers what is needed to undo it. */
export const markAllReadAction = employeeAction(z.object({ upTo: No }), async (employee, { upTo }) => {
  const marked = await markAllRead(employee, upTo);
  return done({ marked, unread: await countUnread(employee) });
});

/** Confirms that the person has read and understood one; answers when, and how many are unread then. */
export const confirmAction = employeeSessionAction(z.object({ no: No }), async (session, { no }) => {
  const confirmed = await confirmNotification(session, no);
  if (typeof confirmed === 'string') return refused({ form: confirmed });
  const unread = await countUnread(session.employee);
  return done({ confirmedAt: confirmed.confirmedAt.toISOString(), unread });
});

const MarkedAll = z.object({ before: z.int().nonnegative(), upTo: No, reopened: z.array(No).max(1000) });

/** Takes a "mark all as read" back. */
export const undoMarkAllReadAction = employeeAction(MarkedAll, async (employee, marked) => {
  if (!(await undoMarkAllRead(employee, marked))) return refused({ form: 'too-late' });
  return done({ unread: await countUnread(employee) });
});

/** Notes which notifications were shown to the person. */
export const noteShownAction = employeeAction(
  z.object({ numbers: z.array(No).max(100) }),
  async (employee, { numbers }) => {
    await noteShown(employee, numbers);
    return done(null);
  },
);

const Minute = z.int().min(0).max(1439);
const Changes = z
  .object({
    mutedKinds: z.array(z.enum(kinds)).max(kinds.length),
    hidePrivate: z.boolean(),
    keepPopUps: z.boolean(),
    shortcuts: z.boolean(),
    quietFrom: Minute.nullable(),
    quietUntil: Minute.nullable(),
    quietTimeZone: TimeZone.nullable(),
  })
  .partial()
  .refine(({ quietFrom, quietUntil }) => (quietFrom == null) === (quietUntil == null), {
    error: 'invalid',
    path: ['quietFrom'],
  })
  .refine(({ quietFrom, quietUntil }) => quietFrom == null || quietFrom !== quietUntil, {
    error: 'invalid',
    path: ['quietUntil'],
  });

/** Changes how the person wants to be told; answers all of their preferences. */
export const changePreferencesAction = employeeAction(Changes, async (employee, changes) =>
  done(await changePreferences(employee, changes)),
);

/** Silence for so many minutes from now, or none any more (0). */
export const silenceAction = employeeAction(
  z.object({ minutes: z.int().min(0).max(1440) }),
  async (employee, { minutes }) => done(await beSilent(employee, minutes)),
);

const KeyText = z.string().regex(/^[\w-]{16,200}={0,2}$/, 'invalid');
const PushSubscription = z.object({ endpoint: z.url().max(2000), p256dh: KeyText, auth: KeyText });

/** Lets this device take notifications while the portal is closed. */
export const keepSubscriptionAction = employeeSessionAction(PushSubscription, async (session, subscription) => {
  const kept = await keepSubscription(session, subscription);
  return kept === 'kept' ? done(null) : refused({ form: kept });
});

/** Stops notifications on this device. */
export const forgetSubscriptionAction = employeeAction(
  z.object({ endpoint: z.string().max(2000) }),
  async (employee, { endpoint }) => {
    await forgetSubscription(employee, endpoint);
    return done(null);
  },
);
