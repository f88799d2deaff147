'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';

/** Keeps which dialog is open. Returns it, a function that opens one, and one that closes it and refreshes the page. */
export function useOpenDialog<Name>() {
  const router = useRouter();
  const [name, open] = useState<Name>();
  const close = () => {
    open(undefined);
    router.refresh();
  };
  return [name, open, close] as const;
}
