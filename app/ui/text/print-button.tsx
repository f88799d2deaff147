'use client';

import { Button } from '@mantine/core';
import { Printer } from 'lucide-react';

export function PrintButton({ text }: { text: string }) {
  return (
    <Button variant="default" leftSection={<Printer />} onClick={() => window.print()}>
      {text}
    </Button>
  );
}
