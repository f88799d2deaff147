'use client';

import { Button } from '@mantine/core';
import { Printer } from 'lucide-react';
import { useTranslations } from 'next-intl';

/** Prints the page. */
export function PrintButton() {
  const t = useTranslations('proof');
  return (
    <Button variant="default" leftSection={<Printer aria-hidden size={18} />} onClick={() => window.print()}>
      {t('print')}
    </Button>
  );
}
