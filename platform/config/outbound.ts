import { z } from 'zod';
import { webAddress } from '#platform/config/checks.ts';

/** The services of others that this one sends requests to. */
export const outboundSettings = {
  UPSTASH_REDIS_REST_URL: webAddress('http:', 'https:').optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
  PUSH_SERVICES: z
    .string()
    .transform((value) => value.split(',').map((one) => one.trim()))
    .refine((origins) => origins.every((one) => URL.canParse(one) && new URL(one).origin === one), {
      error: 'must be origins such as https://push.example.com, separated by commas',
    })
    .default([]),
};
