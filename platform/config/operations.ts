import { host, oneOf, wholeNumber } from '#platform/config/checks.ts';

export const operationsSettings = {
  METRICS_PORT: wholeNumber(1, 65535).optional(),
  METRICS_HOST: host.default('127.0.0.1'),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').optional(),
};

/** Turns off the log, which would mix with a command's output. Call it before the first `env`. */
export function silenceLog(): void {
  process.env.LOG_LEVEL = 'silent';
}

/** The name of the command line: `notif`, or `npm run notif --` from source. */
export const programName = (): string => (process.env.npm_lifecycle_event ? 'npm run notif --' : 'notif');
