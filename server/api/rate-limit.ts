import type { Ratelimit } from '@upstash/ratelimit';
import { z } from 'zod';
import { env } from '#platform/config/settings.ts';
import { log } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { authenticateAndCountKey, type CountedKey } from '#server/keys/count.ts';
import { requestsPerMinute } from '#server/keys/key-limits.ts';
import { authenticateKey } from '#server/keys/keys.ts';
import type { ApiKey } from '#server/principals.ts';

const upstashPauseMs = 5000;

/** A counted request with a valid key. `remaining`: requests left. `endsIn`: seconds left of the minute. */
export type Admission = { key: ApiKey; admitted: boolean; remaining: number; endsIn: number };

/**
 * Finds the active key with this fingerprint and counts the request; null, uncounted, without one. Upstash counts if it
 * is configured and answers within 150 ms, by the minutes of this process's clock, else PostgreSQL. After a failure one
 * request every 5 s tries Upstash. When the counter changes within a minute, a key may get up to 60 more requests.
 * Throws when the database is out of reach.
 */
export async function countRequest(fingerprint: Buffer): Promise<Admission | null> {
  if (!isCountedInDatabase()) {
    const key = await authenticateKey(fingerprint);
    if (!key) return null;
    const counted = await countInUpstash(key);
    if (counted) return { key, ...counted };
  }
  const counted = await authenticateAndCountKey(fingerprint);
  return counted && asAdmission(counted);
}

export const asAdmission = ({ key, used, endsIn }: CountedKey): Admission => ({
  key,
  admitted: used <= requestsPerMinute,
  remaining: Math.max(0, requestsPerMinute - used),
  endsIn,
});

/** Whether PostgreSQL counts requests now, because Upstash is not configured or failed. */
export const isCountedInDatabase = (): boolean => !env().UPSTASH_REDIS_REST_URL || isUpstashPaused();

const upstash = { limiter: undefined as Promise<Ratelimit> | undefined, hasFailed: false, pausedUntil: 0 };

/** Whether PostgreSQL counts requests now because Upstash failed. */
export const isUpstashPaused = (): boolean => performance.now() < upstash.pausedUntil;

async function makeLimiter(): Promise<Ratelimit> {
  const [{ Ratelimit }, { Redis }] = await Promise.all([import('@upstash/ratelimit'), import('@upstash/redis')]);
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = env();
  const signal = () => AbortSignal.timeout(150);
  return new Ratelimit({
    // The library's `retry: false` still tries twice, and each try would count.
    redis: new Redis({ url, token, enableTelemetry: false, retry: { retries: 0 }, signal }),
    limiter: Ratelimit.fixedWindow(requestsPerMinute, '60 s'),
    prefix: 'staff-notification',
    ephemeralCache: false,
    enableTelemetry: false,
    // At its own timeout the library would admit the request with a limit of 0.
    timeout: 0,
  });
}

// A proxy's page becomes no numbers. At least one request is used.
const Counted = z.object({
  success: z.boolean(),
  limit: z.literal(requestsPerMinute),
  remaining: z
    .int()
    .min(0)
    .max(requestsPerMinute - 1),
  reset: z.int(),
});

// Null when Upstash did not count: a timeout, an error, the page of a proxy, or impossible numbers.
async function countInUpstash({ companyId, id }: ApiKey): Promise<Omit<Admission, 'key'> | null> {
  // After a failure only this request tries it; the others do not wait.
  if (upstash.hasFailed) upstash.pausedUntil = performance.now() + upstashPauseMs;
  try {
    upstash.limiter ??= makeLimiter();
    const limiter = await upstash.limiter;
    const { success, remaining, reset } = Counted.parse(await limiter.limit(`${companyId}:${id}`));
    if (upstash.hasFailed) log().info('Upstash counts the rate limit again');
    upstash.hasFailed = false;
    upstash.pausedUntil = 0;
    metrics()?.count('upstash', 'counted');
    return { admitted: success, remaining, endsIn: Math.min(60, Math.max(0, Math.ceil((reset - Date.now()) / 1000))) };
  } catch (error) {
    if (!upstash.hasFailed)
      log().error({ err: error }, 'Upstash does not count the rate limit; PostgreSQL does until it is back');
    metrics()?.count('upstash', 'failed');
    upstash.hasFailed = true;
    upstash.pausedUntil = performance.now() + upstashPauseMs;
    return null;
  }
}
