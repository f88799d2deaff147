'use client';

import { readStored, store } from '#app/ui/storage/local-storage.ts';

/**
 * Returns the id of this browser (a UUID), made at the first visit. It tells the browsers of one
 * employee apart.
 */
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
