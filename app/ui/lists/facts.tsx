import '#app/ui/lists/facts.css';
import { useTranslations } from 'next-intl';
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

/** What only a technician needs, folded away. */
export function TechnicalFacts({ rows }: { rows: FactRow[] }) {
  const t = useTranslations('app');
  return (
    <details>
      <summary>{t('technical')}</summary>
      <FactRows small rows={rows} />
    </details>
  );
}
