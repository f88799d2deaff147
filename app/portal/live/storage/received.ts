'use client';

import { isWhole, readStoredJson } from '#app/portal/live/storage/stored-json.ts';
import { store } from '#app/ui/storage/local-storage.ts';

/**
 * The last number this browser received for an employee, and its last contact with the service (ms
 * since 1970).
 */
export type Received = { received: number; at: number };

const receivedName = (person: string) => `received:${person}`;

/** Reads what this browser last received, or null before the employee's first visit. */
export function readReceived(person: string): Received | null {
  return readStoredJson<Received>(receivedName(person), ({ received, at }) => isWhole(received) && isWhole(at));
}

/**
 * Records that everything up to `received` has arrived. The number never goes down; 0 records a
 * contact only.
 */
export function recordReceived(person: string, received: number): void {
  resetReceived(person, Math.max(received, readReceived(person)?.received ?? 0));
}

/** Sets the last received number, also to a lower one. */
export function resetReceived(person: string, received: number): void {
  store(receivedName(person), JSON.stringify({ received, at: Date.now() }));
}
