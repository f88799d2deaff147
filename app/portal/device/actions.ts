'use server';

import { z } from 'zod';
import { PushSubscriptionFields } from '#app/ui/device/subscription-fields.ts';
import { done, refused } from '#app/ui/forms/fields.ts';
import { employeeAction, employeeSessionAction } from '#app/ui/forms/guarded-action.ts';
import { addSubscription, removeSubscription } from '#server/push/push.ts';

/**
 * Stores the push subscription of this device, so that it shows notifications while the portal is
 * closed.
 */
export const keepSubscriptionAction = employeeSessionAction(PushSubscriptionFields, async (session, subscription) => {
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
