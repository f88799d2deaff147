import { z } from 'zod';

const Base64Url = z.string().regex(/^[\w-]{16,200}={0,2}$/, 'invalid');

export const PushSubscriptionFields = z.object({
  endpoint: z.url().max(2000),
  p256dh: Base64Url,
  auth: Base64Url,
});
