import { processWide } from '#platform/config/process-wide.ts';
import { log } from '#platform/log/log.ts';

const windowMs = 60_000;
// Strangers choose what a line is about, so its number is limited.
const maxKinds = 1000;

const counts = processWide('repeats', () => new Map<string, number>());

/**
 * Logs what a stranger can repeat without end: the first line of a minute in full, with `same` and
 * `once`, and those that follow with an equal `same` as one line a minute, with their number as
 * `repeats`. Above 1,000 kinds in a minute, further ones are counted together.
 */
export function logRepeats(level: 'info' | 'warn' | 'error', same: object, once: object, message: string): void {
  const given = JSON.stringify([message, same]);
  const isListed = counts.has(given) || counts.size < maxKinds;
  const kind = isListed ? given : message;
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
