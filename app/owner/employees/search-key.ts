'use client';

import { useSyncExternalStore } from 'react';
import { readStored, store } from '#app/ui/storage/local-storage.ts';

const name = 'search-key';
const watchers = new Set<() => void>();

/** Whether the slash key leads to the search in this browser (WCAG 2.1.4: a single key can be switched off), and how to change it. */
export function useSearchKey(): [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => readStored(name) !== 'off',
    () => true,
  );
  const change = (wanted: boolean) => {
    store(name, wanted ? 'on' : 'off');
    for (const watcher of watchers) watcher();
  };
  return [on, change];
}
