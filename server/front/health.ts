import type { IncomingMessage, ServerResponse } from 'node:http';
import { db, renewPools, renewReadOnlyPools, requireRow } from '#db/client.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { sql } from '#db/drizzle.cjs';
import { processWide } from '#platform/config/process-wide.ts';
import { withTimeout } from '#platform/queues.ts';

/** The address of the liveness check: 200 while the process can answer. */
export const livePath = '/health/live';

/** The address of the readiness check: 200, or 503 with the list of what is missing. */
export const readyPath = '/health/ready';

type Obstacle = 'stopping' | 'pages' | 'database' | 'database_read_only';

type HealthAnswer = { status: 200 | 503; headers: Record<string, string>; body: string };

let isStopping = false;

/** From now on this process is not ready, so that proxies send no more requests to it. */
export function markStopping(): void {
  isStopping = true;
}

export const liveAnswer = (): HealthAnswer => asHealthAnswer(200, { live: true });

/** The readiness check: the pages are loaded, and the database answers within 2 s. Callers share one query a second. */
export async function readyAnswer(hasPages: boolean): Promise<HealthAnswer> {
  const missing: Obstacle[] = hasPages ? [] : ['pages'];
  if (isStopping) missing.push('stopping');
  if (!cached || performance.now() - cached.checkedAtMs > 1000)
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

let cached: { checkedAtMs: number; obstacle: Promise<Obstacle | null> } | undefined;

async function findObstacle(): Promise<Obstacle | null> {
  const readOnly = await withTimeout(2000, isDatabaseReadOnly);
  // Without other traffic, only this check notices dead connections.
  if (readOnly === null) renewPools();
  else if (readOnly) renewReadOnlyPools();
  return readOnly === null ? 'database' : readOnly ? 'database_read_only' : null;
}

async function isDatabaseReadOnly(): Promise<boolean> {
  const asked = db().execute<{ readOnly: boolean }>(sql`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"`);
  return (await requireRow(asked)).readOnly;
}

// The headers of requests whose page could not reach the database. Next hands the same object to its hook for errors.
const unavailable = processWide('unavailable-pages', () => new WeakSet<object>());

/** Takes an error of the page for the request with these headers. */
export const notePageError = (error: unknown, headers: object): void =>
  void (isDatabaseUnavailable(error) && unavailable.add(headers));

/** Lets a page that failed because the database is unavailable answer 503 with `Retry-After`, where Next says 500. */
export function sayUnavailable({ headers }: IncomingMessage, response: ServerResponse): void {
  // A page that is slow asks the database: if it hangs, that replaces the pools, and the page fails.
  const timer = setTimeout(() => void readyAnswer(true), 3500);
  response.once('close', () => clearTimeout(timer));
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    clearTimeout(timer);
    const isUnavailable = status === 500 && unavailable.has(headers);
    if (isUnavailable) response.setHeader('Retry-After', '5');
    return writeHead(isUnavailable ? 503 : status, ...rest);
  };
}
