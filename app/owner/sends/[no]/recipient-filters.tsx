'use client';

import { useTranslations } from 'next-intl';
import type { RecipientQuery } from '#app/owner/sends/send-query.ts';
import { hasFilter } from '#app/ui/lists/address.ts';
import { FilterSearch, FilterSelect } from '#app/ui/lists/filter-fields.tsx';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';
import { recipientStates } from '#server/sends/states.ts';

const width = { base: '100%', xs: 220 } as const;

/** The filter form of the recipients of a send. */
export function RecipientFilters({ query, mustConfirm }: { query: RecipientQuery; mustConfirm: boolean }) {
  const t = useTranslations();
  const states = recipientStates.filter((state) => mustConfirm || (state !== 'confirmed' && state !== 'unconfirmed'));
  return (
    <FilterForm filtered={hasFilter(query)}>
      <FilterSelect
        name="state"
        label={t('sends.filterState')}
        defaultValue={query.state}
        choices={states.map((state) => ({ value: state, label: t(`sends.personState.${state}`) }))}
        w={width}
      />
      <FilterSearch label={t('sends.personSearch')} defaultValue={query.search} w={width} />
    </FilterForm>
  );
}
