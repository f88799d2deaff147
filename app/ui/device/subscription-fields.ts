import { z } from 'zod';

const Base64Url = z.string().regex(/^[\w-]{16,200}={0,2}$/, 'invalid');

/** The fields of a push subscription that a browser sends. */
export const PushSubscriptionFields = z.object({
  endpoint: z.url().max(2000),
  p256dh: Base64Url,
  auth: Base64Url,
});
