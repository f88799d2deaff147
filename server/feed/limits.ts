import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { withDeadline } from '#db/client.ts';
import { maxCachedSessions } from '#server/feed/session-cache.ts';

const defaultFileLimit = 1024;

/** How many streams a process with `files` file descriptors may hold. A quarter, at least 100, stays free. */
export const streamLimit = (files: number): number =>
  Math.max(0, Math.min(maxCachedSessions, files - 100, Math.floor(files * 0.75)));

let limit: number | undefined;

/** How many streams this process may hold open (`streamLimit`). */
export const maxStreams = (): number => (limit ??= streamLimit(readFileLimit()));

/** How many files this process may open; 1,024 without a report. Node raises the soft limit at its start. */
export function readFileLimit(): number {
  if (!process.report) return defaultFileLimit;
  // Otherwise the report resolves the names of all peer addresses, which takes seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  return typeof soft === 'number' ? soft : defaultFileLimit;
}

const running = pLimit(32);
const starting = pLimit(1);

/**
 * Runs a query of a portal in this process's queue: at most 32 at a time, 5.5 s each. One starts in every third turn:
 * Node accepts one connection per turn, so calls are accepted while thousands of portals reconnect.
 */
export const lookupQueue = <Value>(query: () => Promise<Value>): Promise<Value> =>
  running(async () => {
    await starting(async () => {
      for (let turn = 0; turn < 3; turn++) await nextTurn();
    });
    return withDeadline(query);
  });
