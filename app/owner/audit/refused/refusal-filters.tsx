'use client';

import { useTranslations } from 'next-intl';
import type { RefusalQuery } from '#app/owner/audit/refused/refusal-query.ts';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import type { FilterChoice } from '#app/ui/lists/filter-controls.tsx';

/** The filters of the refused calls. */
export function RefusalFilters({
  keys,
  reasons,
  query,
}: {
  keys: FilterChoice[];
  reasons: FilterChoice[];
  query: RefusalQuery;
}) {
  const t = useTranslations('refusals');
  const noKey = { value: 'none', label: t('noKey') };
  return (
    <FilterBar
      search={{ name: 'request', label: t('request'), placeholder: t('requestHint'), value: query.request }}
      filters={[
        { type: 'select', name: 'key', label: t('key'), value: query.key, choices: [noKey, ...keys] },
        { type: 'select', name: 'reason', label: t('reason'), value: query.reason, choices: reasons },
        { type: 'days', label: t('day'), value: { days: query.days, from: query.from, to: query.to } },
      ]}
    />
  );
}
