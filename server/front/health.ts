import { renewPools, renewReadOnlyPools, sql } from '#db/client.ts';
import { inTime } from '#server/deadline.ts';

/** Where a supervisor asks whether the process runs at all: 200 as long as it answers anything. */
export const livePath = '/health/live';

/** Where a proxy or platform asks whether to send requests here: 200, or 503 with what is missing. */
export const readyPath = '/health/ready';

/** What keeps a process from serving. */
export type Obstacle = 'pages' | 'database' | 'database_read_only';

/** An answer of either address, complete. */
export type HealthAnswer = { status: 200 | 503; headers: Record<string, string>; body: string };

/** The answer that a process runs. */
export const liveAnswer = (): HealthAnswer => compose(200, { live: true });

/**
 * Whether this process can serve: its pages are loaded, and the database answers within 2 s and takes writes. However often it is
 * asked, and by whomever, the database is asked once a second at most.
 */
export async function readyAnswer(hasPages: boolean): Promise<HealthAnswer> {
  const missing: Obstacle[] = hasPages ? [] : ['pages'];
  const obstacle = await askDatabase();
  if (obstacle) missing.push(obstacle);
  return missing.length === 0 ? compose(200, { ready: true }) : compose(503, { ready: false, missing });
}

function compose(status: 200 | 503, answer: object): HealthAnswer {
  const body = JSON.stringify(answer);
  const headers: Record<string, string> = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  if (status === 503) headers['Retry-After'] = '5';
  return { status, headers, body };
}

const keptMs = 1000;
const longestWaitMs = 2000;
let asked: { at: number; found: Promise<Obstacle | null> } | undefined;

function askDatabase(): Promise<Obstacle | null> {
  if (!asked || performance.now() - asked.at > keptMs) asked = { at: performance.now(), found: findObstacle() };
  return asked.found;
}

async function findObstacle(): Promise<Obstacle | null> {
  const found = await inTime(longestWaitMs, asksReadOnly);
  // Where nothing else is asked any more, nobody else would notice that the connections are dead.
  if (found === null) renewPools();
  else if (found) renewReadOnlyPools();
  return found === null ? 'database' : found ? 'database_read_only' : null;
}

async function asksReadOnly(): Promise<boolean> {
  const [row] = await sql()<{ readOnly: boolean }[]>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"`;
  return row?.readOnly ?? false;
}
