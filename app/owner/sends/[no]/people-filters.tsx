'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { recipientStates } from '#app/owner/sends/send-filter.ts';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';
import type { RecipientFilter } from '#server/sends/recipients.ts';

const width = { base: '100%', xs: 220 } as const;

/** What the people of a send can be narrowed to. */
export function PeopleFilters({ filter, confirmable }: { filter: RecipientFilter; confirmable: boolean }) {
  const t = useTranslations();
  const states = recipientStates.filter((state) => confirmable || !state.endsWith('onfirmed'));
  return (
    <FilterForm filtered={filter.state !== undefined || filter.search !== undefined}>
      <NativeSelect
        name="state"
        label={t('sends.filterState')}
        defaultValue={filter.state ?? ''}
        data={[
          { value: '', label: t('filter.any') },
          ...states.map((state) => ({ value: state, label: t(`sends.personState.${state}`) })),
        ]}
        w={width}
      />
      <TextInput
        type="search"
        name="search"
        label={t('sends.personSearch')}
        defaultValue={filter.search}
        maxLength={120}
        w={width}
      />
    </FilterForm>
  );
}
