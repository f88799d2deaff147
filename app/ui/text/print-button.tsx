'use client';

import { Button } from '@mantine/core';
import { Printer } from 'lucide-react';
import { useEffect } from 'react';

export function PrintButton({ text, variant }: { text: string; variant?: 'default' }) {
  return (
    <Button variant={variant} leftSection={<Printer aria-hidden size={18} />} onClick={() => window.print()}>
      {text}
    </Button>
  );
}

/** Marks the page as one that is printed: on paper, sheet.css hides all but its content. */
export function usePrintedSheet(): void {
  // Not `:has(.sheet)` in the styles, which Firefox before 121 does not know.
  useEffect(() => {
    document.documentElement.toggleAttribute('data-sheet', true);
    return () => document.documentElement.removeAttribute('data-sheet');
  }, []);
}
