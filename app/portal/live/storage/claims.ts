import { readStored, store } from '#app/ui/storage/local-storage.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

// The last numbers that popped up, the last one that rang and when (ms), and the latest end of a snooze that rang.
type Claims = { popped: number[]; rung: number; rungAt: number; rungBack?: number };

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

// The lock orders the tabs of this browser. A page in WebKit's back/forward cache would keep the lock or its place in
// the queue, so both end at `pagehide`: the answer is `left` if nothing was decided by then.
async function withClaims<Value>(
  person: string,
  decide: (claims: Claims) => { value: Value; claims?: Claims },
): Promise<Value | 'left'> {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  addEventListener('pagehide', leave);
  // Where timers set timers, Chromium runs those of a hidden page once a minute. A message in between ends the chain.
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      setTimeout(() => port2.postMessage(null), ms);
      leaving.signal.addEventListener('abort', () => resolve());
    });
  // Without TLS there are no locks. Of tabs that write their turn together, the last goes first; the others try again.
  const takeTurn = async () => {
    const [name, own] = [`turn:${person}`, String(Math.random())];
    for (;;) {
      store(name, own);
      await pause(settleMs);
      leaving.signal.throwIfAborted();
      if ((readStored(name) ?? own) === own) return;
      await pause(2 * settleMs);
    }
  };
  const run = async () => {
    const { value, claims } = decide(readClaims(person));
    if (!claims) return value;
    store(claimsName(person), JSON.stringify(claims));
    await pause(settleMs);
    return value;
  };
  try {
    if (navigator.locks) return await navigator.locks.request(claimsName(person), { signal: leaving.signal }, run);
    await takeTurn();
    return await run();
  } catch (error) {
    if (leaving.signal.aborted) return 'left';
    throw error;
  } finally {
    removeEventListener('pagehide', leave);
  }
}

/** Identifies a pop-up by its number. What comes back from a snooze pops up again, so it has a negative one. */
export function popUpClaim({ no, back, snoozedUntil }: Item): number {
  if (!back || !snoozedUntil) return no;
  return -(Math.floor(Date.parse(snoozedUntil) / 1000) * 1e6 + (no % 1e6));
}

// Forgets numbers above `newest`. They exist after the service was restored from a backup.
async function forgetAbove(person: string, newest: number): Promise<void> {
  resetReceived(person, newest);
  await withClaims(person, (claims) => ({
    value: undefined,
    claims: { ...claims, popped: claims.popped.filter((no) => no <= newest), rung: Math.min(claims.rung, newest) },
  }));
}

/** Claims numbers for a pop-up. Returns those that no tab claimed before, or `left` if the person left. */
export function claimPopUps(person: string, numbers: number[]): Promise<number[] | 'left'> {
  return withClaims(person, (claims) => {
    // Below the lowest kept number, all have popped up: more than are kept may arrive together.
    const positive = claims.popped.filter((no) => no > 0);
    const lowestKept = claims.popped.length === maxPopped && positive.length > 0 ? Math.min(...positive) : 0;
    const mine = numbers.filter((no) => !claims.popped.includes(no) && (no < 0 || no >= lowestKept));
    const popped = [...claims.popped, ...mine].slice(-maxPopped);
    return mine.length > 0 ? { value: mine, claims: { ...claims, popped } } : { value: mine };
  });
}

/** The newest number to ring for, the highest missed number, and the time (ms) up to which snoozes ended. */
type RingWish = { no: number; missedUpTo: number; back: number };

/** Claims a ring. One tab of this browser gets it, also after a reload; `left`: the person left this page first. */
export const claimRing = (person: string, wish: RingWish) =>
  withClaims(person, (claims) => decideRing(claims, wish, readReceived(person)?.received ?? 0, Date.now()));

/** Decides a claim of a ring: what this browser has `received` has arrived before `now` (ms). */
export function decideRing(
  claims: Claims,
  { no, missedUpTo, back }: RingWish,
  received: number,
  now: number,
): { value: 'ring' | 'taken' | { waitMs: number }; claims?: Claims } {
  const { rungBack = 0 } = claims;
  if (claims.rung >= no && rungBack >= back) return { value: 'taken' };
  const waitMs = claims.rungAt + ringIntervalMs - now;
  if (waitMs > 0 && waitMs <= ringIntervalMs) return { value: { waitMs } };
  const rung = Math.max(no, missedUpTo, received);
  return { value: 'ring', claims: { ...claims, rung, rungAt: now, rungBack: Math.max(back, rungBack) } };
}

/** The last number that this browser received, and its last contact with the service (ms). */
type Received = { received: number; at: number };

const receivedName = (person: string) => `received:${person}`;

/** Reads what this browser last received, or null before the employee's first visit. */
export function readReceived(person: string): Received | null {
  return readStoredJson<Received>(receivedName(person), ({ received, at }) => isWhole(received) && isWhole(at));
}

/** Everything up to `received` has arrived. It never goes down; 0 records a contact only. */
export function recordReceived(person: string, received: number): void {
  resetReceived(person, Math.max(received, readReceived(person)?.received ?? 0));
}

/** A page that opens again within this time, as at a reload, continues where this browser stopped. */
export const resumeMs = 60_000;

/** Returns the number after which a page reads the feed: later notifications pop up, the list says what waits. */
export function resumeReceived(person: string, newest: number): number {
  const last = readReceived(person);
  const elapsedMs = last ? Date.now() - last.at : resumeMs;
  // Below 0 the clock of this device was set back, and tells nothing.
  const isRecent = elapsedMs >= 0 && elapsedMs < resumeMs;
  if (last && !isRecent && last.received > newest) void forgetAbove(person, newest);
  const after = last && isRecent ? Math.min(last.received, newest) : newest;
  recordReceived(person, after);
  return after;
}

export function resetReceived(person: string, received: number): void {
  store(receivedName(person), JSON.stringify({ received, at: Date.now() }));
}

/** Whether a stored value is a number as the service gives them. */
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value);

/** Reads a stored JSON object, or null if it is missing or `isValid` refuses it. */
function readStoredJson<Value>(name: string, isValid: (value: Partial<Value>) => boolean): Value | null {
  try {
    const value = JSON.parse(readStored(name) ?? '{}') as Partial<Value>;
    return isValid(value) ? (value as Value) : null;
  } catch {
    return null;
  }
}

/** A UUID, made at the first visit. It tells the browsers of one employee apart. */
export function browserId(): string {
  const stored = readStored('browser');
  if (stored) return stored;
  // Not `crypto.randomUUID`: that needs TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  store('browser', id);
  return id;
}
