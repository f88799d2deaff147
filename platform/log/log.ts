import pino from 'pino';
import { processWide } from '#platform/config/process-wide.ts';
import { env } from '#platform/config/settings.ts';
import { metrics } from '#platform/log/metrics.ts';

/**
 * The log of the process: one JSON object per line on standard output. Never log a key, a password, a token or the text
 * of a notification. Lines are buffered for 250 ms, and dropped over 16 MiB.
 */
export const log = (): pino.Logger => processWide('log', makeLogger);

/** Keeps the process alive when standard output fails; the output is lost. */
export function surviveFullLog(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** Writes to the log what Next and other packages print as an error: a stranger may cause it without end. */
export function logConsole(): void {
  console.error = (...values: unknown[]) => {
    const error = values.find((value) => value instanceof Error);
    logRepeats('error', { name: error?.name }, { err: error ?? values.join(' ') }, 'an error was printed');
  };
}

// One system call for every line would cost as much as the database query of a ping.
function makeLogger(): pino.Logger {
  const output = pino.destination({
    dest: 1,
    sync: false,
    // In characters.
    minLength: 16 * 1024,
    maxWrite: 64 * 1024,
    maxLength: 16 * 1024 * 1024,
    periodicFlush: 250,
    retryEAGAIN: () => performance.now() < retryUntil,
  });
  let retryUntil = Number.POSITIVE_INFINITY;
  let failing = false;
  // A full disk must not end the process. The next lines try again.
  output.on('error', () => (failing = true));
  output.on('write', () => (failing = false));
  // Runs before pino's own listener, which retries without end when output cannot be written.
  process.prependOnceListener('exit', () => {
    retryUntil = performance.now() + 1000;
    try {
      if (!failing) output.flushSync();
    } catch {
      // An exception here would keep the process from exiting.
    }
    output.destroy();
  });
  const options = {
    level: env().LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    ...(env().METRICS_PORT === undefined ? {} : { hooks: { logMethod: countLine } }),
  };
  return pino(options, output);
}

// Counts warnings and errors (pino's levels from 40) only.
function countLine(this: pino.Logger, args: Parameters<pino.LogFn>, method: pino.LogFn, level: number): void {
  if (level >= 40) metrics()?.count('log_lines', pino.levels.labels[level]);
  method.apply(this, args);
}

// Not all fields: the driver's error may carry the statement's parameters, which are private.
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? { code: error.code } : {};
  return { name, message, stack, ...code, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

/** What `catch` takes of work whose failure only needs a line in the log, with these `fields`. */
export const warnOf =
  (message: string, fields: object = {}) =>
  (error: unknown) =>
    log().warn({ err: error, ...fields }, message);

// Strangers choose what a line is about, so its number is limited.
const maxKinds = 1000;

const counts = processWide('repeats', () => new Map<string, number>());

/**
 * Logs what a stranger can repeat without end. In each `windowMs` the first line appears in full; later ones with an
 * equal `same` become one line with their number, `repeats`. Above 1,000 kinds, further lines are counted together.
 */
export function logRepeats(
  level: 'info' | 'warn' | 'error',
  same: object,
  once: object,
  message: string,
  windowMs = 60_000,
): void {
  const fullKind = JSON.stringify([message, same]);
  const isListed = counts.has(fullKind) || counts.size < maxKinds;
  const kind = isListed ? fullKind : message;
  const count = counts.get(kind);
  counts.set(kind, (count ?? 0) + 1);
  if (count !== undefined) return;
  log()[level]({ ...once, ...same }, message);
  setTimeout(() => {
    const repeats = (counts.get(kind) ?? 1) - 1;
    counts.delete(kind);
    if (repeats > 0) log()[level]({ ...(isListed ? same : {}), repeats }, message);
  }, windowMs).unref();
}

const secret = /jss_\w+/g;
// PostgreSQL rejects NUL.
const unseen = /[\p{Cc}\p{Bidi_Control}]+/gu;

/** Makes a caller's text safe to store and show: at most `maxLength` UTF-16 units, no keys, no unseen characters. */
export function excerptOf(text: string, maxLength: number): string {
  const start = text.slice(0, 20 * maxLength);
  const plain = start.replace(unseen, ' ').replace(secret, 'jss_…');
  return (plain.length > maxLength ? `${plain.slice(0, maxLength - 1)}…` : plain).toWellFormed();
}
