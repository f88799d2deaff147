'use client';

import { useSyncExternalStore } from 'react';
import { readStored, store } from '#app/ui/storage/local-storage.ts';

const storageKey = 'search-key';
const listeners = new Set<() => void>();

/**
 * Whether the slash key moves the focus to the search field in this browser, and a function that
 * changes it. WCAG 2.1.4 requires that a shortcut of a single key can be switched off.
 */
export function useSearchKey(): [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => readStored(storageKey) !== 'off',
    () => true,
  );
  const change = (isEnabled: boolean) => {
    store(storageKey, isEnabled ? 'on' : 'off');
    for (const listener of listeners) listener();
  };
  return [on, change];
}
