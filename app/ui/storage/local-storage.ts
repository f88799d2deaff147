'use client';

// A browser may refuse its storage, for example in a private window. Then nothing is kept between
// pages.

/** Reads a value of this browser's local storage, or null. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Writes a value to this browser's local storage, if the browser allows it. */
export function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {}
}

/** Deletes a value of this browser's local storage. */
export function forgetStored(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {}
}
