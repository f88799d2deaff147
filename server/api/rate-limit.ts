import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import { z } from 'zod';
import { env } from '#server/env.ts';
import { authenticateAndCountKey, authenticateKey } from '#server/keys/keys.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/meters.ts';
import type { ApiKey } from '#server/principals.ts';

/** Requests a key may make in one minute, all operations together (contract §4). */
export const requestsPerMinute = 60;

const windowMs = 60_000;
const upstashBudgetMs = 150;
const upstashPauseMs = 5000;

/** A request with a valid key: who, whether it is within the limit, how many are left (0…60), and for how many seconds (0…60). */
export type Admission = { key: ApiKey; admitted: boolean; remaining: number; endsIn: number };

/**
 * Looks the key up and counts this request against it, or null when no active key has this fingerprint (then
 * nothing is counted). Counts in Upstash when that is configured and answers sensibly within 150 ms, else in PostgreSQL;
 * after a failure of Upstash PostgreSQL counts, and one request each 5 s asks Upstash again. Throws only when the database is gone.
 */
export async function countRequest(fingerprint: Buffer): Promise<Admission | null> {
  const limiter = upstash();
  if (limiter && performance.now() >= pausedUntil) {
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

let isOut = false;
let pausedUntil = 0;
let configured: Ratelimit | null | undefined;

/** Whether PostgreSQL counts at this moment because Upstash failed. */
export const isUpstashPaused = (): boolean => performance.now() < pausedUntil;

function upstash(): Ratelimit | null {
  if (configured !== undefined) return configured;
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = env();
  configured = null;
  if (!url || !token) return null;
  const signal = () => AbortSignal.timeout(upstashBudgetMs);
  // To the library `retry: false` means once more, and what is asked twice is counted twice.
  const redis = new Redis({ url, token, enableTelemetry: false, retry: { retries: 0 }, signal });
  configured = new Ratelimit({
    ...{ redis, limiter: keyWindow, prefix: 'staff-notification', ephemeralCache: false, enableTelemetry: false },
    // At its own limit of time the library answers that the request is admitted, and a limit of 0.
    timeout: 0,
  });
  return configured;
}

// A window begins at a key's first request and ends by Redis's own clock. The library's windows are cut by the clock of each process.
const countScript = `local used = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {used, redis.call('PTTL', KEYS[1])}`;

const CountAnswer = z.tuple([z.int().min(1), z.int().min(0).max(windowMs)]);

type Algorithm = ConstructorParameters<typeof Ratelimit>[0]['limiter'];

const keyWindow: Algorithm = () => {
  const look = async (used: number, leftMs: number) => ({
    ...{ success: used <= requestsPerMinute, limit: requestsPerMinute, pending: Promise.resolve() },
    ...{ remaining: Math.max(0, requestsPerMinute - used), reset: Date.now() + leftMs },
  });
  return {
    limit: async ({ redis }, name) => look(...CountAnswer.parse(await redis.eval(countScript, [name], [windowMs]))),
    getRemaining: async ({ redis }, name) => look(Number(await redis.get(name)), Math.max(0, await redis.pttl(name))),
    resetTokens: async ({ redis }, name) => void (await redis.del(name)),
  };
};

// Whatever else comes (nothing in time, an error, a page of a proxy, figures that cannot be) means: not counted.
async function countInUpstash(limiter: Ratelimit, { companyId, id }: ApiKey): Promise<Omit<Admission, 'key'> | null> {
  // While it is out, only the one request that got here asks; all others go on without a wait.
  if (isOut) pausedUntil = performance.now() + upstashPauseMs;
  try {
    const { success, remaining, reset } = await limiter.limit(`${companyId}:${id}`);
    if (isOut) log().info('Upstash counts the rate limit again');
    isOut = false;
    pausedUntil = 0;
    meters()?.count('upstash', 'counted');
    return { admitted: success, remaining, endsIn: Math.min(60, Math.max(0, Math.ceil((reset - Date.now()) / 1000))) };
  } catch (error) {
    if (!isOut) log().error({ err: error }, 'Upstash does not count the rate limit; PostgreSQL does until it is back');
    meters()?.count('upstash', 'failed');
    isOut = true;
    pausedUntil = performance.now() + upstashPauseMs;
    return null;
  }
}
