import type { ReactNode } from 'react';

/** How many rows a list has, read out when it changes. */
export function ListCount({ children }: { children: ReactNode }) {
  return (
    <span role="status" className="list-count">
      {children}
    </span>
  );
}
