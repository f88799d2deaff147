'use client';

/** How far this browser has come for one person: the last number it received and the last it rang for. */
type Cursor = { received: number; rung: number; at: number };

const keyOf = (person: string) => `cursor:${person}`;

/** The cursor of a person in this browser, or null at their first visit. */
export function readCursor(person: string): Cursor | null {
  try {
    const cursor = JSON.parse(localStorage.getItem(keyOf(person)) ?? 'null') as Cursor | null;
    return Number.isSafeInteger(cursor?.received) && Number.isSafeInteger(cursor?.rung) ? cursor : null;
  } catch {
    return null;
  }
}

/** Notes that everything up to a number has arrived in this browser. */
export function noteReceived(person: string, received: number): void {
  const cursor = readCursor(person);
  const next: Cursor = { received: Math.max(received, cursor?.received ?? 0), rung: cursor?.rung ?? 0, at: Date.now() };
  localStorage.setItem(keyOf(person), JSON.stringify(next));
}

/**
 * Whether this tab may ring for a number: of all tabs and reloads of this browser, one may. Web Locks decide
 * between tabs; the noted number decides after a reload.
 */
export async function claimRing(person: string, no: number): Promise<boolean> {
  const claim = () => {
    const cursor = readCursor(person);
    if (cursor && cursor.rung >= no) return false;
    const next: Cursor = { received: Math.max(no, cursor?.received ?? 0), rung: no, at: Date.now() };
    localStorage.setItem(keyOf(person), JSON.stringify(next));
    return true;
  };
  return navigator.locks ? navigator.locks.request(`ring:${person}`, claim) : claim();
}
