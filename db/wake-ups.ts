import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasNotifyRoom, sql } from '#db/client.ts';
import { withDeadline } from '#db/deadline.ts';
import { processWide } from '#platform/config/process-wide.ts';

type WakeUpHandler = (companyIds: number[]) => void;

/**
 * A person has moved notifications on one device; the streams of their other devices deliver
 * `text`. `sessionId` is the session of the first one.
 */
export type Moved = { companyId: number; employeeId: number; sessionId: number; text: string };

type WakeUps = {
  handlers: Set<WakeUpHandler>;
  movedHandlers: Set<(moved: Moved) => void>;
  waiting: Set<number>;
  waitingMoves: Moved[];
  isNotifying: boolean;
  processId: string;
};

const wakeUps = processWide(
  'wake-ups',
  (): WakeUps => ({
    handlers: new Set(),
    movedHandlers: new Set(),
    waiting: new Set(),
    waitingMoves: [],
    isNotifying: false,
    processId: randomUUID(),
  }),
);

// A listener of another process waits at most this long while many sends commit.
const pauseMs = 20;
// A payload of NOTIFY has less than 8,000 bytes; an id has at most 10 digits and a comma.
const maxPerMessage = 500;
// The part of a message that moves may take.
const maxMovedBytes = 2000;

/**
 * Tells all processes that a company has a new number, and returns at once. Call it after the
 * commit. Feeds of this process get it at once. Other processes get one NOTIFY for all companies of
 * about 20 ms. The NOTIFY is not part of the send's transaction, because PostgreSQL commits
 * transactions with a NOTIFY one after another. A message may be lost, for example when the process
 * dies; then the reconciliation of each process finds the number within 2 s.
 */
export function announce(companyId: number): void {
  for (const handle of wakeUps.handlers) handle([companyId]);
  wakeUps.waiting.add(companyId);
  if (!wakeUps.isNotifying) void notifyOthers();
}

/**
 * Tells the streams of a person's other devices, in all processes, and returns at once. A message
 * of more than 2,000 bytes is dropped. A message may be lost: the devices then notice at their next
 * count.
 */
export function announceMoved(moved: Moved): void {
  if (bytesOf(moved) > maxMovedBytes) return;
  for (const handle of wakeUps.movedHandlers) handle(moved);
  wakeUps.waitingMoves.push(moved);
  if (!wakeUps.isNotifying) void notifyOthers();
}

/** Runs `handle` for each `announceMoved` in this process. Returns the function that ends this. */
export function onMoved(handle: (moved: Moved) => void): () => void {
  wakeUps.movedHandlers.add(handle);
  return () => wakeUps.movedHandlers.delete(handle);
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

/** Returns the moves in a message on the channel `notifications`, but none of this process. */
export function readMoves(payload: string): Moved[] {
  const parts: unknown = JSON.parse(payload);
  if (!Array.isArray(parts) || parts.includes(wakeUps.processId)) return [];
  return parts.filter((part): part is Moved => typeof part === 'object' && part !== null);
}

// With the comma after it.
const bytesOf = (moved: Moved) => Buffer.byteLength(JSON.stringify(moved)) + 1;

function takeMoves(): Moved[] {
  let bytes = 0;
  const end = wakeUps.waitingMoves.findIndex((moved) => {
    bytes += bytesOf(moved);
    return bytes > maxMovedBytes;
  });
  return wakeUps.waitingMoves.splice(0, end === -1 ? wakeUps.waitingMoves.length : end);
}

async function notifyOthers(): Promise<void> {
  wakeUps.isNotifying = true;
  while (wakeUps.waiting.size + wakeUps.waitingMoves.length > 0) {
    const companyIds = [...wakeUps.waiting].slice(0, maxPerMessage);
    for (const id of companyIds) wakeUps.waiting.delete(id);
    const payload = JSON.stringify([...companyIds, ...takeMoves(), wakeUps.processId]);
    // A failure needs no handling: the reconciliation finds the numbers.
    await withDeadline(() => notify(payload)).catch(() => {});
    await sleep(pauseMs);
  }
  wakeUps.isNotifying = false;
}

// Without a wait for the disk: nothing is lost with this transaction.
const notify = (payload: string) => sql()`
  select set_config('synchronous_commit', 'off', true), pg_notify('notifications', ${payload}) where ${hasNotifyRoom()}`;
