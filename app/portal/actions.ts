'use server';

import { z } from 'zod';
import { done, refused } from '#app/fields.ts';
import { employeeAction } from '#app/guarded-action.ts';
import { countUnread, markAllRead, markRead, noteShown } from '#server/inbox.ts';

const No = z.int().positive().max(Number.MAX_SAFE_INTEGER);

/** Marks one of the person's notifications read or unread; answers how many are unread then. */
export const markReadAction = employeeAction(
  z.object({ no: No, read: z.boolean() }),
  async (employee, { no, read }) => {
    if ((await markRead(employee, no, read)) === 'not-in-inbox') return refused({ form: 'not-in-inbox' });
    return done({ unread: await countUnread(employee) });
  },
);

/** Marks everything up to the newest notification the person had on screen as read. */
export const markAllReadAction = employeeAction(z.object({ upTo: No }), async (employee, { upTo }) => {
  await markAllRead(employee, upTo);
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
