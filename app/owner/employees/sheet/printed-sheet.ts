'use client';

import { useEffect } from 'react';

/** Marks the page as one that is printed: on paper, sheet.css hides all but its content. */
export function usePrintedSheet(): void {
  // Not `:has(.sheet)` in the styles, which Firefox before 121 does not know.
  useEffect(() => {
    document.documentElement.toggleAttribute('data-sheet', true);
    return () => document.documentElement.removeAttribute('data-sheet');
  }, []);
}
