'use client';

import Link from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * A link to another page. It prefetches the page when the pointer or the focus is on it, not when
 * it becomes visible: a list of fifty rows would make fifty requests.
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
