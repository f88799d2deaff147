import { log } from '#server/log.ts';

/** A level of a counted line. */
export type CountedLevel = 'debug' | 'info' | 'warn' | 'error';

/** A line that may repeat: fields, and what it says. Lines with an equal `key` are the same. */
export type CountedLine = { level: CountedLevel; key: string; fields: object; message: string };

const windowMs = 60_000;
const maxKeys = 50;

type Counted = CountedLine & { repeated: number };

// In the global object, because one process loads this file twice: once for the front, once in the
// bundle of the pages.
const processGlobals = globalThis as { [key: symbol]: Map<string, Counted> | undefined };
const symbol = Symbol.for('staff-notification-api.counted-lines');

function countedLines(): Map<string, Counted> {
  if (processGlobals[symbol]) return processGlobals[symbol];
  const created = new Map<string, Counted>();
  processGlobals[symbol] = created;
  // The log registers its own listener first, which flushes it.
  log();
  process.prependListener('exit', () => writeCounts(created));
  return created;
}

/**
 * Writes a line to the log. Repetitions within a minute are counted, and written as one line with
 * the fields of the first one and `repeated`. After 50 different keys in a minute all further lines
 * of a level count as one. So nobody can fill the disk through a line that requests cause.
 */
export function logCounted(line: CountedLine): void {
  const lines = countedLines();
  const key = `${line.level} ${lines.size < maxKeys ? line.key : ''}`;
  const known = lines.get(`${line.level} ${line.key}`) ?? lines.get(key);
  if (known) return void known.repeated++;
  if (lines.size === 0) setTimeout(() => writeCounts(lines), windowMs).unref();
  lines.set(key, { ...line, repeated: 0 });
  log()[line.level](line.fields, line.message);
}

function writeCounts(lines: Map<string, Counted>): void {
  for (const { level, fields, message, repeated } of lines.values())
    if (repeated > 0) log()[level]({ ...fields, repeated }, message);
  lines.clear();
}
