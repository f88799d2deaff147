import { db, renewPools, renewReadOnlyPools } from '#db/client.ts';
import { sql } from '#db/drizzle.cjs';
import { withTimeout } from '#platform/queues.ts';

/** The address of the liveness check: 200 while the process can answer. */
export const livePath = '/health/live';

/** The address of the readiness check: 200, or 503 with the list of what is missing. */
export const readyPath = '/health/ready';

type Obstacle = 'stopping' | 'pages' | 'database' | 'database_read_only';

export type HealthAnswer = { status: 200 | 503; headers: Record<string, string>; body: string };

let isStopping = false;

/** From now on this process is not ready, so that proxies send no more requests to it. */
export function markStopping(): void {
  isStopping = true;
}

export const liveAnswer = (): HealthAnswer => asHealthAnswer(200, { live: true });

/**
 * The readiness check: pages are loaded, the process does not stop, the database answers within 2 s and accepts writes.
 * All callers share one query a second.
 */
export async function readyAnswer(hasPages: boolean): Promise<HealthAnswer> {
  const missing: Obstacle[] = hasPages ? [] : ['pages'];
  if (isStopping) missing.push('stopping');
  if (!cached || performance.now() - cached.checkedAtMs > cacheMs)
    cached = { checkedAtMs: performance.now(), obstacle: findObstacle() };
  const obstacle = await cached.obstacle;
  if (obstacle) missing.push(obstacle);
  return missing.length === 0 ? asHealthAnswer(200, { ready: true }) : asHealthAnswer(503, { ready: false, missing });
}

export function asHealthAnswer(status: 200 | 503, answer: object): HealthAnswer {
  const body = JSON.stringify(answer);
  const headers: Record<string, string> = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  if (status === 503) headers['Retry-After'] = '5';
  return { status, headers, body };
}

const cacheMs = 1000;
const timeoutMs = 2000;
// One result for all callers in this process.
let cached: { checkedAtMs: number; obstacle: Promise<Obstacle | null> } | undefined;

async function findObstacle(): Promise<Obstacle | null> {
  const readOnly = await withTimeout(timeoutMs, isDatabaseReadOnly);
  // Without other traffic, only this check notices dead connections.
  if (readOnly === null) renewPools();
  else if (readOnly) renewReadOnlyPools();
  return readOnly === null ? 'database' : readOnly ? 'database_read_only' : null;
}

async function isDatabaseReadOnly(): Promise<boolean> {
  const [row] = await db().execute<{ readOnly: boolean }>(sql`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"`);
  return row?.readOnly ?? false;
}
