'use client';

import { Button } from '@mantine/core';
import { Printer } from 'lucide-react';

export function PrintButton({ text, variant }: { text: string; variant?: 'default' }) {
  return (
    <Button variant={variant} leftSection={<Printer aria-hidden size={18} />} onClick={() => window.print()}>
      {text}
    </Button>
  );
}
