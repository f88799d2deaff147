'use client';

import { useTranslations } from 'next-intl';
import type { RecipientQuery } from '#app/owner/sends/send-query.ts';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { recipientStates } from '#server/sends/states.ts';

/** The filters of the recipients of a send. */
export function RecipientFilters({ query, mustConfirm }: { query: RecipientQuery; mustConfirm: boolean }) {
  const t = useTranslations();
  const states = recipientStates.filter((state) => mustConfirm || (state !== 'confirmed' && state !== 'unconfirmed'));
  return (
    <FilterBar
      search={{ name: 'search', label: t('sends.personSearch'), value: query.search }}
      filters={[
        {
          type: 'select',
          name: 'state',
          label: t('sends.filterState'),
          value: query.state,
          choices: states.map((state) => ({ value: state, label: t(`sends.personState.${state}`) })),
        },
      ]}
    />
  );
}
