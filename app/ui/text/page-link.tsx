'use client';

import Link from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * A link to another page of ours that fetches it when the person is about to follow it (the pointer
 * or the focus is on it), not already when it comes into view: a list of fifty rows would ask the
 * server fifty times.
 */
export function PageLink({ onPointerEnter, onFocus, ...link }: Omit<ComponentProps<typeof Link>, 'prefetch'>) {
  const [near, setNear] = useState(false);
  return (
    <Link
      {...link}
      prefetch={near ? null : false}
      onPointerEnter={(event) => {
        setNear(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setNear(true);
        onFocus?.(event);
      }}
    />
  );
}
