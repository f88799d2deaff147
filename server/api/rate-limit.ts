import { Redis } from '@upstash/redis';
import { z } from 'zod';
import { env } from '#server/env.ts';
import { type ApiKey, authenticateAndCountKey, authenticateKey } from '#server/keys.ts';
import { log } from '#server/log.ts';

/** Requests a key may make in one minute, all operations together (contract §4). */
export const requestsPerMinute = 60;

const windowMs = 60_000;
const upstashBudgetMs = 150;
const upstashPauseMs = 5000;

/** A request with a valid key: who, whether it is within the limit, how many are left (0…60), and for how many seconds (0…60). */
export type Admission = { key: ApiKey; admitted: boolean; remaining: number; endsIn: number };

type Counted = { used: number; endsIn: number };

/**
 * Looks the key up and counts this request against it, or null when no active key has this fingerprint (then
 * nothing is counted). Counts in Upstash when that is configured and answers sensibly within 150 ms, else in PostgreSQL;
 * after a failure of Upstash PostgreSQL counts, and one request each 5 s asks Upstash again. Throws only when the database is gone.
 */
export async function countRequest(fingerprint: Buffer): Promise<Admission | null> {
  const redis = upstash();
  if (redis && performance.now() >= pausedUntil) {
    const key = await authenticateKey(fingerprint);
    if (!key) return null;
    const counted = await countInUpstash(redis, key);
    if (counted) return admit(key, counted);
  }
  const found = await authenticateAndCountKey(fingerprint);
  return found && admit(found.key, found);
}

function admit(key: ApiKey, { used, endsIn }: Counted): Admission {
  return { key, admitted: used <= requestsPerMinute, remaining: Math.max(0, requestsPerMinute - used), endsIn };
}

let isOut = false;
let pausedUntil = 0;
let configured: Redis | null | undefined;

function upstash(): Redis | null {
  if (configured !== undefined) return configured;
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = env();
  const signal = () => AbortSignal.timeout(upstashBudgetMs);
  // To the library `retry: false` means once more, and what is asked twice is counted twice.
  const retry = { retries: 0 };
  configured = url && token ? new Redis({ url, token, enableTelemetry: false, retry, signal }) : null;
  return configured;
}

// A window begins at a key's first request and ends by Redis's own clock: what clock a process of ours has does not matter.
const countScript = `local used = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {used, redis.call('PTTL', KEYS[1])}`;

const CountAnswer = z.tuple([z.int().min(1), z.int().min(0).max(windowMs)]);

// Whatever else comes (nothing in time, an error, a page of a proxy, figures that cannot be) means: not counted.
async function countInUpstash(redis: Redis, { companyId, id }: ApiKey): Promise<Counted | null> {
  // While it is out, only the one request that got here asks; all others go on without a wait.
  if (isOut) pausedUntil = performance.now() + upstashPauseMs;
  try {
    const answer = await redis.eval(countScript, [`staff-notification:${companyId}:${id}`], [windowMs]);
    const [used, leftMs] = CountAnswer.parse(answer);
    if (isOut) log().info('Upstash counts the rate limit again');
    isOut = false;
    pausedUntil = 0;
    return { used, endsIn: Math.ceil(leftMs / 1000) };
  } catch (error) {
    if (!isOut) log().error({ err: error }, 'Upstash does not count the rate limit; PostgreSQL does until it is back');
    isOut = true;
    pausedUntil = performance.now() + upstashPauseMs;
    return null;
  }
}
