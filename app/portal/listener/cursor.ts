'use client';

import { readStored, store } from '#app/portal/listener/stored.ts';

/** How far this browser has come for one person: the last number it received, popped up and rang for, and when. */
type Cursor = { received: number; at: number; popped: number; rung: number; rungAt: number };

const chimeEveryMs = 5000;
const keyOf = (person: string) => `cursor:${person}`;

function readCursor(person: string): Cursor | null {
  try {
    const cursor = JSON.parse(readStored(keyOf(person)) ?? 'null') as Cursor | null;
    const numbers = [cursor?.received, cursor?.at, cursor?.popped, cursor?.rung, cursor?.rungAt];
    return numbers.every(Number.isSafeInteger) ? cursor : null;
  } catch {
    return null;
  }
}

function writeCursor(person: string, changes: Partial<Cursor>): void {
  const before = readCursor(person) ?? { received: 0, at: Date.now(), popped: 0, rung: 0, rungAt: 0 };
  store(keyOf(person), JSON.stringify({ ...before, ...changes }));
}

// Between tabs a lock decides, after a reload the noted numbers do. Without TLS there are no locks.
function alone<Value>(person: string, work: () => Value): Promise<Value> {
  return navigator.locks
    ? navigator.locks.request(`cursor:${person}`, async () => work())
    : Promise.resolve().then(work);
}

/** The last number this browser received and when, or null at the person's first visit. */
export function lastReceived(person: string): { received: number; at: number } | null {
  return readCursor(person);
}

/** Notes that everything up to a number has arrived in this browser. */
export function noteReceived(person: string, received: number): void {
  const before = readCursor(person)?.received ?? 0;
  writeCursor(person, { received: Math.max(received, before), at: Date.now() });
}

/** Takes the numbers that no tab of this browser has popped up yet; no other tab gets them afterwards. */
export function claimPopUps(person: string, numbers: number[]): Promise<number[]> {
  return alone(person, () => {
    const popped = readCursor(person)?.popped ?? 0;
    const mine = numbers.filter((no) => no > popped);
    if (mine.length > 0) writeCursor(person, { popped: Math.max(...mine) });
    return mine;
  });
}

/**
 * Whether this tab may ring for everything up to a number: of all tabs and reloads of this browser, one may, and no sooner than
 * 5 s after the last chime. Answers how many milliseconds to wait before asking again in that case.
 */
export function claimRing(person: string, no: number): Promise<'ring' | 'taken' | { waitMs: number }> {
  return alone(person, () => {
    const { rung = 0, rungAt = 0 } = readCursor(person) ?? {};
    if (rung >= no) return 'taken';
    const waitMs = rungAt + chimeEveryMs - Date.now();
    if (waitMs > 0 && waitMs <= chimeEveryMs) return { waitMs };
    // For everything that is here by now, not only for the one that asked.
    writeCursor(person, { rung: Math.max(no, readCursor(person)?.received ?? 0), rungAt: Date.now() });
    return 'ring';
  });
}
