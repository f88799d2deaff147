import { log } from '#platform/log/log.ts';
import { maxCachedSessions } from '#server/feed/session-cache.ts';

const defaultFileLimit = 1024;
const minReservedFiles = 100;
const reservedShare = 0.25;
const warnEveryMs = 60_000;

/**
 * How many streams a process with `files` file descriptors may hold open, at most as many as the
 * session cache has places. A quarter of the files, at least 100, stays free for everything else.
 */
export function streamLimit(files: number): number {
  return Math.max(0, Math.min(maxCachedSessions, files - minReservedFiles, Math.floor(files * (1 - reservedShare))));
}

let limit: number | undefined;

/** How many streams this process may hold open (`streamLimit`). */
export function maxStreams(): number {
  limit ??= streamLimit(readFileLimit());
  return limit;
}

/**
 * How many files this process may open, from Node's diagnostic report; 1,024 without one. Node
 * raises the soft limit to the hard limit at its start.
 */
export function readFileLimit(): number {
  if (!process.report) return defaultFileLimit;
  // Otherwise the report resolves the names of all peer addresses, which takes seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  return typeof soft === 'number' ? soft : defaultFileLimit;
}

let warnedAt = Number.NEGATIVE_INFINITY;

/** Logs that a stream was refused because of the limit, at most once a minute. */
export function warnStreamsFull(): void {
  const now = performance.now();
  if (now - warnedAt < warnEveryMs) return;
  warnedAt = now;
  log().warn({ maxStreams: maxStreams() }, 'the limit of open streams is reached; further portals poll every 10 s');
}
