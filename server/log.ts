import pino from 'pino';
import { env, isWorker } from '#server/env.ts';
import { meters } from '#server/meters.ts';

const held = globalThis as { [key: symbol]: pino.Logger | undefined };
const logger = Symbol.for('staff-notification-api.log');

const writtenAtLeastEveryMs = 250;
// In characters. What several processes write to one pipe stays in one piece up to 4,096 bytes (pipe(7)).
const alone = { minLength: 16 * 1024, maxWrite: 64 * 1024 };
const amongOthers = { minLength: 3 * 1024, maxWrite: 4000 };
const mostWaitingBytes = 16 * 1024 * 1024;
const longestLastWriteMs = 1000;

/**
 * The log of the process: one JSON object a line on standard output, with the process's number where several write it. Never write
 * a key, a password, a token or the text of a notification to it. Lines are written some together, a quarter of a second later at
 * most, and all of them when the process exits, if they can be written within a second then; one that is killed loses the last. When
 * nobody takes them, what is over 16 MiB is dropped.
 */
export function log(): pino.Logger {
  held[logger] ??= makeLogger();
  return held[logger];
}

/** From now on what cannot be printed (a full disk, a reader that is gone) is lost, and the process goes on. */
export function surviveFullLog(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

// A write to the system for every line would cost as much as the database's answer to a ping.
function makeLogger(): pino.Logger {
  const output = pino.destination({
    dest: 1,
    sync: false,
    ...(isWorker() ? amongOthers : alone),
    maxLength: mostWaitingBytes,
    periodicFlush: writtenAtLeastEveryMs,
    retryEAGAIN: () => performance.now() < triedUntil,
  });
  let triedUntil = Number.POSITIVE_INFINITY;
  let failing = false;
  // A full disk must not end the process; what could not be written is tried again with the next lines.
  output.on('error', () => (failing = true));
  output.on('write', () => (failing = false));
  // Before pino's own: what both call tries for ever to write what cannot be written, and the process would never end.
  process.prependOnceListener('exit', () => {
    triedUntil = performance.now() + longestLastWriteMs;
    try {
      if (!failing) output.flushSync();
    } catch {
      // What throws here would keep the process from ending.
    }
    output.destroy();
  });
  const options = {
    level: env().LOG_LEVEL,
    base: isWorker() ? { pid: process.pid } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    ...(env().METRICS_PORT === undefined ? {} : { hooks: { logMethod: countLine } }),
  };
  return pino(options, output);
}

// A line of debugging or of a request is no sign of anything.
function countLine(this: pino.Logger, args: Parameters<pino.LogFn>, method: pino.LogFn, level: number): void {
  if (level >= 40) meters()?.count('log_lines', pino.levels.labels[level]);
  method.apply(this, args);
}

// Only what says where and why: a driver's error may carry the statement's parameters, which are people's texts.
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { name, message, stack, ...('code' in error ? { code: error.code } : {}) };
}
