import { format } from 'node:util';
import { type CountedLevel, logCounted } from '#server/log-counted.ts';
import { pageContext } from '#server/page-context.ts';
import { excerptOf } from '#server/redact.ts';

const maxTextLength = 2000;
const maxKeyLength = 120;

const levels: Partial<Record<keyof Console, CountedLevel>> = {
  debug: 'debug',
  info: 'info',
  log: 'info',
  warn: 'warn',
  error: 'error',
  trace: 'error',
};

// In the global object, because one process loads this file twice: once for the front, once in the
// bundle of the pages.
const processGlobals = globalThis as { [key: symbol]: boolean | undefined };
const symbol = Symbol.for('staff-notification-api.captured-output');

/**
 * Passes everything that libraries print to the log: `console`, standard output and standard error,
 * and Node's warnings. Each print becomes one line of JSON. Their texts may quote a request, so
 * they are cut, and line breaks, control characters and keys are replaced. Repetitions are counted.
 * Call it before Next is loaded; a second call does nothing.
 */
export function captureOutput(): void {
  if (processGlobals[symbol]) return;
  processGlobals[symbol] = true;
  for (const [method, level] of Object.entries(levels))
    Object.assign(console, { [method]: (...values: unknown[]) => logPrinted(level, format(...values)) });
  process.stdout.write = captureWrites('info');
  process.stderr.write = captureWrites('error');
  // Node's own listener writes past `process.stderr`.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logPrinted('warn', warning.stack ?? String(warning)));
}

function captureWrites(level: CountedLevel): typeof process.stdout.write {
  return (chunk: string | Uint8Array, ...rest: unknown[]) => {
    logPrinted(level, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done as () => void);
    return true;
  };
}

function logPrinted(level: CountedLevel, printed: string): void {
  const request = pageContext.getStore();
  // The front writes one line about a request whose body was not complete.
  if (request?.isCut) return;
  const text = printed
    .slice(0, 4 * maxTextLength)
    .split(/[\r\n]+/)
    .map((line) => excerptOf(line.trimEnd(), maxTextLength))
    .filter((line) => line.trim() !== '')
    .join('\n')
    .slice(0, maxTextLength)
    .toWellFormed();
  if (text === '') return;
  const fields = request ? { address: request.address, method: request.method, path: request.path, text } : { text };
  logCounted({ level, key: text.slice(0, maxKeyLength), fields, message: 'a library printed a message' });
}
