import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { db, hasNotifyRoom, withDeadline } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { sql } from '#db/drizzle.cjs';
import { parseDatabaseUrl } from '#platform/config/database.ts';
import { processWide } from '#platform/config/process-wide.ts';

/** A person has moved notifications on the device of `sessionId`; streams of their other devices deliver `text`. */
export type Moved = { companyId: number; employeeId: number; sessionId: number; text: string };

/** A bell asks other processes who rings of its session. Each that holds such a stream answers with its `first`. */
export type RingTurn = { companyId: number; accountId: number; bell: string; first?: string };

/** What a process tells the others: the id of a company that has a new number, a move, or a turn to ring. */
export type WakeUp = number | Moved | RingTurn;

type WakeUpHandler = (wakeUp: WakeUp) => void;

const state = processWide('wake-ups', () => ({
  handlers: new Set<WakeUpHandler>(),
  waiting: new Set<WakeUp>(),
  isNotifying: false,
  processId: randomUUID(),
}));

// A listener of another process waits at most this long while many sends commit.
const pauseMs = 20;
// A payload of NOTIFY has less than 8,000 bytes; the id of the process takes 40 of them.
const maxBytesPerMessage = 7900;
// A move leaves room for the numbers of other companies.
const maxMovedBytes = 2000;

/**
 * Tells the feeds of all processes, and returns at once. Call it after the commit: PostgreSQL commits transactions with
 * a NOTIFY one after another, so it is no part of the send's. The reconciliation finds a lost number within 2 s. A move
 * of over 2,000 bytes is dropped: devices notice at their next count.
 */
export function announce(wakeUp: WakeUp): void {
  if (bytesOf(wakeUp) > maxMovedBytes) return;
  handleWakeUp(wakeUp);
  state.waiting.add(wakeUp);
  if (!state.isNotifying) void notifyOthers();
}

/** Runs the handlers of `onWakeUp`. Call it for what another process said. */
export function handleWakeUp(wakeUp: WakeUp): void {
  for (const handle of state.handlers) handle(wakeUp);
}

/** Runs `handle` for each wake-up, of this process and of others. Returns the function that ends this. */
export function onWakeUp(handle: WakeUpHandler): () => void {
  state.handlers.add(handle);
  return () => state.handlers.delete(handle);
}

/** The wake-ups in a message on the channel `notifications`; none of this process, which has told its feeds already. */
export function readWakeUps(payload: string): WakeUp[] {
  const parts: unknown = JSON.parse(payload);
  if (!Array.isArray(parts) || parts.includes(state.processId)) return [];
  return parts.filter((part): part is WakeUp => typeof part !== 'string');
}

// With the comma after it.
const bytesOf = (wakeUp: WakeUp) => Buffer.byteLength(JSON.stringify(wakeUp)) + 1;

function takeWaiting(): WakeUp[] {
  const batch: WakeUp[] = [];
  let bytes = 0;
  for (const wakeUp of state.waiting) {
    bytes += bytesOf(wakeUp);
    if (bytes > maxBytesPerMessage) break;
    batch.push(wakeUp);
    state.waiting.delete(wakeUp);
  }
  return batch;
}

async function notifyOthers(): Promise<void> {
  state.isNotifying = true;
  while (state.waiting.size > 0) {
    const payload = JSON.stringify([...takeWaiting(), state.processId]);
    // A failure needs no handling: the reconciliation finds the numbers.
    await withDeadline(() => notify(payload)).catch(() => {});
    await sleep(pauseMs);
  }
  state.isNotifying = false;
}

// Without a wait for the disk: nothing is lost with this transaction.
const notify = async (payload: string) =>
  db().execute(sql`
  select set_config('synchronous_commit', 'off', true), pg_notify('notifications', ${payload}) where ${hasNotifyRoom}`);

export type Listening = { stop: () => Promise<void> };

/**
 * Listens on these channels with one connection, which is renewed after a loss: a reconciliation must find what was
 * said meanwhile. `onListening` runs after each connect. Does nothing through a pooler, which delivers no messages.
 */
export function listen(
  url: string,
  channels: Record<string, (payload: string) => void>,
  onListening: () => void,
): Listening {
  if (parseDatabaseUrl(url).isPooled) return { stop: async () => {} };
  const sql = connect(url, 1, { whenLost: 'reconnect' });
  for (const [channel, handle] of Object.entries(channels)) sql.listen(channel, handle, onListening).catch(() => {});
  return { stop: () => sql.end({ timeout: 1 }).catch(() => {}) };
}
