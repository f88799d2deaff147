import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#db/client.ts';
import { withDeadline } from '#db/deadline.ts';
import { hasNotifyRoom } from '#db/notify.ts';

/** Hears of companies that have something new for their portals. */
export type WakeUpHandler = (companyIds: number[]) => void;

type WakeUps = { handlers: Set<WakeUpHandler>; waiting: Set<number>; isNotifying: boolean; processId: string };

// In the global object, because one process loads this file twice: once for the front, once in the
// bundle of the pages.
const processGlobals = globalThis as { [key: symbol]: WakeUps | undefined };
const name = Symbol.for('staff-notification-api.wake-ups');
processGlobals[name] ??= { handlers: new Set(), waiting: new Set(), isNotifying: false, processId: randomUUID() };
const wakeUps = processGlobals[name];

// A listener of another process waits at most this long while many sends commit.
const pauseMs = 20;
// A payload of NOTIFY has less than 8,000 bytes; an id has at most 10 digits and a comma.
const maxPerMessage = 500;

/**
 * Tells all processes that a company has a new number, and returns at once. Call it after the
 * commit. Feeds of this process hear it now. Other processes hear it by NOTIFY: one message for all
 * companies of about 20 ms. It is not part of the send's transaction, because PostgreSQL commits
 * transactions with a NOTIFY one after another. A message may be lost, for example when the process
 * dies; then the sweep of each process finds the number within 2 s.
 */
export function announce(companyId: number): void {
  for (const handle of wakeUps.handlers) handle([companyId]);
  wakeUps.waiting.add(companyId);
  if (!wakeUps.isNotifying) void notifyOthers();
}

/** Runs `handle` for each `announce` in this process. Returns the function that ends this. */
export function onWakeUp(handle: WakeUpHandler): () => void {
  wakeUps.handlers.add(handle);
  return () => wakeUps.handlers.delete(handle);
}

/**
 * Returns the companies that a message on the channel `notifications` names. The list is empty for
 * a message of this process, which has told its own feeds already.
 */
export function readWakeUp(payload: string): number[] {
  const parts: unknown = JSON.parse(payload);
  if (!Array.isArray(parts) || parts.includes(wakeUps.processId)) return [];
  return parts.filter((part): part is number => Number.isInteger(part));
}

async function notifyOthers(): Promise<void> {
  wakeUps.isNotifying = true;
  while (wakeUps.waiting.size > 0) {
    const companyIds = [...wakeUps.waiting].slice(0, maxPerMessage);
    for (const id of companyIds) wakeUps.waiting.delete(id);
    const payload = JSON.stringify([...companyIds, wakeUps.processId]);
    // A failure needs no handling: the sweep finds the numbers.
    await withDeadline(() => notify(payload)).catch(() => {});
    await sleep(pauseMs);
  }
  wakeUps.isNotifying = false;
}

// Without a wait for the disk: nothing is lost with this transaction.
const notify = (payload: string) => sql()`
  select set_config('synchronous_commit', 'off', true), pg_notify('notifications', ${payload}) where ${hasNotifyRoom()}`;
