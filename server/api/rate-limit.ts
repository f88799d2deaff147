import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import { z } from 'zod';
import { env } from '#platform/config/settings.ts';
import { log } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { authenticateAndCountKey, type CountedKey } from '#server/keys/count.ts';
import { requestsPerMinute } from '#server/keys/key-limits.ts';
import { authenticateKey } from '#server/keys/keys.ts';
import type { ApiKey } from '#server/principals.ts';

const windowMs = 60_000;
const upstashTimeoutMs = 150;
const upstashPauseMs = 5000;

/**
 * A counted request with a valid key. `admitted`: it is within the limit. `remaining`: how many
 * requests are left (0 to 60). `endsIn`: seconds until the minute ends (0 to 60).
 */
export type Admission = { key: ApiKey; admitted: boolean; remaining: number; endsIn: number };

/**
 * Finds the active key with this fingerprint and counts the request. Returns null when there is no
 * such key; then nothing is counted. Upstash counts, if it is configured and gives a valid answer
 * within 150 ms. Else PostgreSQL counts. After a failure of Upstash one request every 5 s tries it
 * again. When the counter changes within a minute, a key may get up to 60 more requests. Throws when
 * the database is out of reach.
 */
export async function countRequest(fingerprint: Buffer): Promise<Admission | null> {
  const limiter = isUpstashPaused() ? null : upstashLimiter();
  if (limiter) {
    const key = await authenticateKey(fingerprint);
    if (!key) return null;
    const counted = await countInUpstash(limiter, key);
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
export const isCountedInDatabase = (): boolean => isUpstashPaused() || upstashLimiter() === null;

// State of the process, shared by all requests.
const upstash: { limiter?: Ratelimit | null; hasFailed: boolean; pausedUntil: number } = {
  hasFailed: false,
  pausedUntil: 0,
};

/** Whether PostgreSQL counts requests now because Upstash failed. */
export const isUpstashPaused = (): boolean => performance.now() < upstash.pausedUntil;

function upstashLimiter(): Ratelimit | null {
  if (upstash.limiter === undefined) upstash.limiter = makeLimiter();
  return upstash.limiter;
}

function makeLimiter(): Ratelimit | null {
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = env();
  if (!url || !token) return null;
  const signal = () => AbortSignal.timeout(upstashTimeoutMs);
  // The library's `retry: false` still tries twice, and each try would count.
  const redis = new Redis({ url, token, enableTelemetry: false, retry: { retries: 0 }, signal });
  return new Ratelimit({
    redis,
    limiter: keyWindow,
    prefix: 'staff-notification',
    ephemeralCache: false,
    enableTelemetry: false,
    // At its own timeout the library would admit the request with a limit of 0.
    timeout: 0,
  });
}

// A window begins at a key's first request and ends by the clock of Redis. The library's own
// windows would depend on the clock of each process.
const countScript = `local used = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {used, redis.call('PTTL', KEYS[1])}`;

const CountAnswer = z.tuple([z.int().min(1), z.int().min(0).max(windowMs)]);

const keyWindow: ConstructorParameters<typeof Ratelimit>[0]['limiter'] = () => {
  const describeWindow = async (used: number, leftMs: number) => ({
    success: used <= requestsPerMinute,
    limit: requestsPerMinute,
    remaining: Math.max(0, requestsPerMinute - used),
    reset: Date.now() + leftMs,
    pending: Promise.resolve(),
  });
  return {
    limit: async ({ redis }, name) =>
      describeWindow(...CountAnswer.parse(await redis.eval(countScript, [name], [windowMs]))),
    getRemaining: async ({ redis }, name) =>
      describeWindow(Number(await redis.get(name)), Math.max(0, await redis.pttl(name))),
    resetTokens: async ({ redis }, name) => void (await redis.del(name)),
  };
};

// Null when Upstash did not count: a timeout, an error, the page of a proxy, or impossible numbers.
async function countInUpstash(limiter: Ratelimit, { companyId, id }: ApiKey): Promise<Omit<Admission, 'key'> | null> {
  // After a failure only this request tries it; the others do not wait.
  if (upstash.hasFailed) upstash.pausedUntil = performance.now() + upstashPauseMs;
  try {
    const { success, remaining, reset } = await limiter.limit(`${companyId}:${id}`);
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
