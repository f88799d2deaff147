'use server';

import { z } from 'zod';
import { done, refused } from '#app/ui/forms/fields.ts';
import { employeeAction, employeeSessionAction } from '#app/ui/forms/guarded-action.ts';
import { addSubscription, removeSubscription } from '#server/push/push.ts';

const Base64Url = z.string().regex(/^[\w-]{16,200}={0,2}$/, 'invalid');
const PushSubscription = z.object({ endpoint: z.url().max(2000), p256dh: Base64Url, auth: Base64Url });

/**
 * Stores the push subscription of this device, so that it shows notifications while the portal is
 * closed.
 */
export const keepSubscriptionAction = employeeSessionAction(PushSubscription, async (session, subscription) => {
  const added = await addSubscription(session, subscription);
  return added === 'added' ? done(null) : refused({ form: added });
});

/** Deletes the push subscription of this device. */
export const forgetSubscriptionAction = employeeAction(
  z.object({ endpoint: z.string().max(2000) }),
  async (employee, { endpoint }) => {
    await removeSubscription(employee, endpoint);
    return done(null);
  },
);
