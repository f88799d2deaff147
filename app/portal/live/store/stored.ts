'use client';

// A browser may refuse its storage (private windows, a policy); then every page simply begins anew.

/** A value this browser kept under a name, or null. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a value in this browser, if it allows that. */
export function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {}
}

/** An id of this browser, made at its first visit. Names a browser in the owner's list, and nothing else. */
export function browserId(): string {
  const kept = readStored('browser');
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const id = made.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  store('browser', id);
  return id;
}
