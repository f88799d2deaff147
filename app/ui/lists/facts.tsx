import '#app/ui/lists/facts.css';
import type { ReactNode } from 'react';

/** The facts of one item: names beside their values, on a wide screen perhaps in two columns. */
export function Facts({ inColumns, children }: { inColumns?: boolean; children: ReactNode }) {
  return <dl className={inColumns ? 'facts facts-columns' : 'facts'}>{children}</dl>;
}

/** One of `Facts`; its name is `small` where the values are long. */
export function Fact({ name, small, children }: { name: string; small?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt className={small ? 'fine-print' : undefined}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
