import '#app/ui/lists/facts.css';
import type { ReactNode } from 'react';

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

type Row = { name: string; value: ReactNode };

/** `Facts` as data; leaves out rows that are false. */
export function FactRows({ rows, small, inColumns }: { rows: (Row | false)[]; small?: boolean; inColumns?: boolean }) {
  const shown = rows.filter((row) => row !== false);
  return (
    <Facts inColumns={inColumns}>
      {shown.map((row) => (
        <Fact key={rows.indexOf(row)} name={row.name} small={small}>
          {row.value}
        </Fact>
      ))}
    </Facts>
  );
}
