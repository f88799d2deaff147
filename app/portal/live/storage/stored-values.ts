'use client';

import { readStored, store } from '#app/ui/storage/local-storage.ts';

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

export function resetReceived(person: string, received: number): void {
  store(receivedName(person), JSON.stringify({ received, at: Date.now() }));
}

/** Whether a stored value is a number as the service gives them. */
export const isWhole = (value: unknown): boolean => Number.isSafeInteger(value);

/** Reads a stored JSON object, or null if it is missing or `isValid` refuses it. */
export function readStoredJson<Value>(name: string, isValid: (value: Partial<Value>) => boolean): Value | null {
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
