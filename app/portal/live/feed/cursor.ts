'use client';

import { readStored, store } from '#app/portal/live/store/stored.ts';

/** How far this browser has come for one person: the last number it received, and when it was last in contact. */
type Received = { received: number; at: number };
/** What it has already popped up (the last numbers) and rung for. Written only under the lock. */
type Claims = { popped: number[]; rung: number; rungAt: number };

const chimeEveryMs = 5000;
const rememberedPopUps = 200;
// Another tab may run in another process, to which a written value takes a moment.
const settleMs = 80;

const isNumber = (value: unknown) => Number.isSafeInteger(value);

function read<Value>(name: string, isValid: (value: Partial<Value>) => boolean): Value | null {
  try {
    const value = JSON.parse(readStored(name) ?? '{}') as Partial<Value>;
    return isValid(value) ? (value as Value) : null;
  } catch {
    return null;
  }
}

const receivedName = (person: string) => `received:${person}`;
const claimsName = (person: string) => `claims:${person}`;

function readClaims(person: string): Claims {
  const isValid = ({ popped, rung, rungAt }: Partial<Claims>) =>
    Array.isArray(popped) && popped.every(isNumber) && isNumber(rung) && isNumber(rungAt);
  return read<Claims>(claimsName(person), isValid) ?? { popped: [], rung: 0, rungAt: 0 };
}

// Between tabs a lock decides, after a reload the noted numbers do. Without TLS there are no locks.
function alone<Value>(person: string, work: () => { value: Value; claims?: Claims }): Promise<Value> {
  const settle = async () => {
    const { value, claims } = work();
    if (!claims) return value;
    store(claimsName(person), JSON.stringify(claims));
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    return value;
  };
  return navigator.locks ? navigator.locks.request(claimsName(person), settle) : settle();
}

/** The last number this browser received and when it was last in contact, or null at the person's first visit. */
export function lastReceived(person: string): Received | null {
  return read<Received>(receivedName(person), ({ received, at }) => isNumber(received) && isNumber(at));
}

/** Notes that everything up to a number has arrived in this browser, or, with 0, only that it is in contact. */
export function noteReceived(person: string, received: number): void {
  const before = lastReceived(person)?.received ?? 0;
  store(receivedName(person), JSON.stringify({ received: Math.max(received, before), at: Date.now() }));
}

/** Forgets numbers above `newest`: the service's data began anew, as after a restored backup. */
export function forgetAbove(person: string, newest: number): Promise<void> {
  store(receivedName(person), JSON.stringify({ received: newest, at: Date.now() }));
  return alone(person, () => {
    const { popped, rung, rungAt } = readClaims(person);
    const claims = { popped: popped.filter((no) => no <= newest), rung: Math.min(rung, newest), rungAt };
    return { value: undefined, claims };
  });
}

/** Takes the numbers that no tab of this browser has popped up yet; no other tab gets them afterwards. */
export function claimPopUps(person: string, numbers: number[]): Promise<number[]> {
  return alone(person, () => {
    const before = readClaims(person);
    const mine = numbers.filter((no) => !before.popped.includes(no));
    const popped = [...before.popped, ...mine].slice(-rememberedPopUps);
    return mine.length > 0 ? { value: mine, claims: { ...before, popped } } : { value: mine };
  });
}

/**
 * Whether this tab may ring for everything up to a number: of all tabs and reloads of this browser, one may, and no sooner than
 * 5 s after the last chime. Answers how many milliseconds to wait before asking again in that case.
 */
export function claimRing(person: string, no: number): Promise<'ring' | 'taken' | { waitMs: number }> {
  return alone<'ring' | 'taken' | { waitMs: number }>(person, () => {
    const before = readClaims(person);
    if (before.rung >= no) return { value: 'taken' };
    const waitMs = before.rungAt + chimeEveryMs - Date.now();
    if (waitMs > 0 && waitMs <= chimeEveryMs) return { value: { waitMs } };
    // For everything that is here by now, not only for the one that asked.
    const rung = Math.max(no, lastReceived(person)?.received ?? 0);
    return { value: 'ring', claims: { ...before, rung, rungAt: Date.now() } };
  });
}
