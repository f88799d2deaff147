import '#app/ui/lists/facts.css';
import type { ReactNode } from 'react';

/** The name of a fact and its value; a row that is false is left out. */
export type FactRow = { name: string; value: ReactNode } | false;

/** The facts of one item. Their names are `small` where the values are long. */
export function FactRows({ rows, small, inColumns }: { rows: FactRow[]; small?: boolean; inColumns?: boolean }) {
  return (
    <dl className={inColumns ? 'facts facts-columns' : 'facts'}>
      {rows.map(
        (row) =>
          row && (
            <div key={rows.indexOf(row)}>
              <dt className={small ? 'fine-print' : undefined}>{row.name}</dt>
              <dd>{row.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
