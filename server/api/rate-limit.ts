import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import { env } from '#server/env.ts';
import { type ApiKey, authenticateAndCountKey, authenticateKey } from '#server/keys.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/metrics/meters.ts';

/** Requests a key may make in one minute, all operations together (contract §4). */
export const requestsPerMinute = 60;

const upstashBudgetMs = 150;
const upstashPauseMs = 5000;

/** A request with a valid key: who, whether it is within the limit, how many are left (0…60), and for how many seconds (0…60). */
export type Admission = { key: ApiKey; admitted: boolean; remaining: number; endsIn: number };

/**
 * Looks the key up and counts this request against it, or null when no active key has this fingerprint (then
 * nothing is counted). Counts in Upstash when that is configured and answers within 150 ms, else in PostgreSQL;
 * after a failure of Upstash, PostgreSQL counts for 5 s. Throws only when the database is gone.
 */
export async function countRequest(fingerprint: Buffer): Promise<Admission | null> {
  const limiter = upstash();
  if (limiter && Date.now() >= pausedUntil) {
    const key = await authenticateKey(fingerprint);
    if (!key) return null;
    const counted = await countInUpstash(limiter, key);
    if (counted) return { key, ...counted };
  }
  const found = await authenticateAndCountKey(fingerprint);
  if (!found) return null;
  return {
    key: found.key,
    admitted: found.used <= requestsPerMinute,
    remaining: Math.max(0, requestsPerMinute - found.used),
    endsIn: found.endsIn,
  };
}

let pausedUntil = 0;

/** Whether PostgreSQL counts at this moment because Upstash failed. */
export const isUpstashPaused = (): boolean => Date.now() < pausedUntil;

let configured: Ratelimit | null | undefined;

function upstash(): Ratelimit | null {
  if (configured !== undefined) return configured;
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = env();
  configured =
    url && token
      ? new Ratelimit({
          redis: new Redis({ url, token, enableTelemetry: false, retry: false }),
          limiter: Ratelimit.fixedWindow(requestsPerMinute, '60 s'),
          prefix: 'staff-notification',
          timeout: upstashBudgetMs,
          ephemeralCache: false,
          analytics: false,
        })
      : null;
  return configured;
}

// The library's time-out answers `success: true, limit: 0`, and a broken connection throws: both mean "not counted".
async function countInUpstash(limiter: Ratelimit, key: ApiKey): Promise<Omit<Admission, 'key'> | null> {
  try {
    const { success, remaining, reset, reason } = await limiter.limit(`${key.companyId}:${key.id}`);
    const endsIn = Math.min(60, Math.max(0, Math.ceil((reset - Date.now()) / 1000)));
    meters()?.count('upstash', reason === 'timeout' ? 'late' : 'counted');
    if (reason !== 'timeout') return { admitted: success, remaining: success ? Math.max(0, remaining) : 0, endsIn };
    log().warn({ budgetMs: upstashBudgetMs }, 'Upstash did not answer in time; PostgreSQL counts');
  } catch (error) {
    meters()?.count('upstash', 'failed');
    log().warn({ err: error }, 'Upstash is out of reach; PostgreSQL counts');
  }
  pausedUntil = Date.now() + upstashPauseMs;
  return null;
}
