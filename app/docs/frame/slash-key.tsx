'use client';

import { useEffect } from 'react';
import { useSearchKey } from '#app/owner/employees/search-key.ts';

/** Focuses the search on the slash key, unless the person is typing or has switched the key off. */
export function SlashKey() {
  const [on] = useSearchKey();
  useEffect(() => {
    if (!on) return;
    const pressed = (event: KeyboardEvent) => {
      const writing =
        event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || writing) return;
      event.preventDefault();
      document.getElementById('docs-search')?.focus();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [on]);
  return null;
}
