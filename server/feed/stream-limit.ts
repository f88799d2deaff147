import { mostRemembered } from '#server/feed/remembered.ts';
import { log } from '#server/log.ts';

const usualFileLimit = 1024;
const smallestReserve = 100;
const reservedShare = 0.25;
const sayEveryMs = 60_000;

/**
 * How many streams may be open in a process that may have `files` open: all but a quarter (at least 100), which is left for the database, the
 * pages, the polls and the interface; and never more than the people it remembers.
 */
export function streamLimit(files: number): number {
  return Math.max(0, Math.min(mostRemembered, files - smallestReserve, Math.floor(files * (1 - reservedShare))));
}

let limit: number | undefined;

/** `streamLimit` of this process. */
export function mostStreams(): number {
  limit ??= streamLimit(readFileLimit());
  return limit;
}

/**
 * How many files this process may have open. Asked of Node's own report, which knows it on every platform that has one; Node has
 * raised it to the hard limit by then.
 */
export function readFileLimit(): number {
  if (!process.report) return usualFileLimit;
  // Without it the report asks for the names of all connections' addresses.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  return typeof soft === 'number' ? soft : usualFileLimit;
}

let saidAt = Number.NEGATIVE_INFINITY;

/** Says in the log that streams are refused because the process holds as many as it may; once a minute at most. */
export function sayFull(): void {
  const now = performance.now();
  if (now - saidAt < sayEveryMs) return;
  saidAt = now;
  log().warn({ mostStreams: mostStreams() }, 'no more streams can be opened here: the portals beyond ask every 10 s');
}
