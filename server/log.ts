import pino from 'pino';
import { env, isWorker } from '#server/env.ts';

const held = globalThis as { [key: symbol]: pino.Logger | undefined };
const logger = Symbol.for('staff-notification-api.log');

/**
 * The log of the process: one JSON object a line on standard output, with the process's number where several write it. Never write a key, a password, a token
 * or the text of a notification to it.
 */
export function log(): pino.Logger {
  held[logger] ??= pino({
    level: env().LOG_LEVEL,
    base: isWorker() ? { pid: process.pid } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  });
  return held[logger];
}

// Only what says where and why: a driver's error may carry the statement's parameters, which are people's texts.
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { name, message, stack, ...('code' in error ? { code: error.code } : {}) };
}
