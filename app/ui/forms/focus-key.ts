'use client';

import { useEffect, useEffectEvent } from 'react';

/** Calls `focus` when the person presses this key and is not typing. Without a key it does nothing. */
export function useFocusKey(shortcut: string | undefined, focus: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const typing = (event.target as Element).closest?.('input, select, textarea, [contenteditable]');
    if (event.key !== shortcut || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    focus();
  });
  useEffect(() => {
    if (shortcut === undefined) return;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [shortcut]);
}
