'use client';

import { readStored } from '#app/ui/storage/local-storage.ts';

/** Whether a stored value is a number as the service gives them. */
export const isWhole = (value: unknown): boolean => Number.isSafeInteger(value);

/**
 * Reads a JSON object of this browser's local storage, or null if it is missing or `isValid`
 * refuses it.
 */
export function readStoredJson<Value>(name: string, isValid: (value: Partial<Value>) => boolean): Value | null {
  try {
    const value = JSON.parse(readStored(name) ?? '{}') as Partial<Value>;
    return isValid(value) ? (value as Value) : null;
  } catch {
    return null;
  }
}
