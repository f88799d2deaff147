'use client';

import { readReceived, resetReceived } from '#app/portal/live/storage/received.ts';
import { isWhole, readStoredJson } from '#app/portal/live/storage/stored-json.ts';
import { store } from '#app/ui/storage/local-storage.ts';

/**
 * The last numbers that popped up in this browser, the last number it rang for, and when (ms since
 * 1970).
 */
type Claims = { popped: number[]; rung: number; rungAt: number };

const ringIntervalMs = 5000;
const maxPopped = 200;
// Tabs may run in different processes: a written value reaches the others a moment later.
const settleMs = 80;

const claimsName = (person: string) => `claims:${person}`;

function readClaims(person: string): Claims {
  const isValid = ({ popped, rung, rungAt }: Partial<Claims>) =>
    Array.isArray(popped) && popped.every(isWhole) && isWhole(rung) && isWhole(rungAt);
  return readStoredJson<Claims>(claimsName(person), isValid) ?? { popped: [], rung: 0, rungAt: 0 };
}

// The lock orders the tabs of this browser. Without TLS there are no locks. A page in WebKit's
// back/forward cache would keep the lock or its place in the queue, so both end at `pagehide`: the
// answer is `left` if nothing was decided by then.
async function withClaims<Value>(
  person: string,
  decide: (claims: Claims) => { value: Value; claims?: Claims },
): Promise<Value | 'left'> {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  addEventListener('pagehide', leave);
  const run = async () => {
    const { value, claims } = decide(readClaims(person));
    if (!claims) return value;
    store(claimsName(person), JSON.stringify(claims));
    await new Promise((resolve) => {
      setTimeout(resolve, settleMs);
      leaving.signal.addEventListener('abort', resolve);
    });
    return value;
  };
  try {
    return await (navigator.locks?.request(claimsName(person), { signal: leaving.signal }, run) ?? run());
  } catch (error) {
    if (leaving.signal.aborted) return 'left';
    throw error;
  } finally {
    removeEventListener('pagehide', leave);
  }
}

/** Forgets numbers above `newest`. They exist after the service was restored from a backup. */
export async function forgetAbove(person: string, newest: number): Promise<void> {
  resetReceived(person, newest);
  await withClaims(person, ({ popped, rung, rungAt }) => ({
    value: undefined,
    claims: { popped: popped.filter((no) => no <= newest), rung: Math.min(rung, newest), rungAt },
  }));
}

/**
 * Claims numbers for a pop-up. Returns those that no tab of this browser has claimed before, or
 * `left` if the person left this page first.
 */
export function claimPopUps(person: string, numbers: number[]): Promise<number[] | 'left'> {
  return withClaims(person, (claims) => {
    const mine = numbers.filter((no) => !claims.popped.includes(no));
    const popped = [...claims.popped, ...mine].slice(-maxPopped);
    return mine.length > 0 ? { value: mine, claims: { ...claims, popped } } : { value: mine };
  });
}

/**
 * Claims the ring for everything up to `no`. One tab of this browser gets it, also after a reload,
 * and not before 5 s have passed since the last ring: then the answer says how long to wait before
 * the next claim. `left`: the person left this page first.
 */
export function claimRing(person: string, no: number): Promise<'ring' | 'taken' | 'left' | { waitMs: number }> {
  return withClaims<'ring' | 'taken' | { waitMs: number }>(person, (claims) => {
    if (claims.rung >= no) return { value: 'taken' };
    const waitMs = claims.rungAt + ringIntervalMs - Date.now();
    if (waitMs > 0 && waitMs <= ringIntervalMs) return { value: { waitMs } };
    // One ring stands for everything that has arrived by now.
    const rung = Math.max(no, readReceived(person)?.received ?? 0);
    return { value: 'ring', claims: { ...claims, rung, rungAt: Date.now() } };
  });
}
