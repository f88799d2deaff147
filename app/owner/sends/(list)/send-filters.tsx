'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { PersonSelect } from '#app/owner/sends/person-select.tsx';
import type { SendQuery } from '#app/owner/sends/send-query.ts';
import { hasFilter } from '#app/ui/lists/address.ts';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';
import { kinds } from '#server/notifications/kinds.ts';
import type { PossibleRecipient } from '#server/sends/possible-recipients.ts';
import { sendStates } from '#server/sends/states.ts';

const width = { base: 'calc(50% - 6px)', xs: 200 } as const;

/** The filter form of the list of sends. */
export function SendFilters({
  query,
  keys,
  person,
}: {
  query: SendQuery;
  keys: { id: number; name: string }[];
  person: PossibleRecipient | null;
}) {
  const t = useTranslations();
  const any = { value: '', label: t('filter.any') };
  const senders = keys.map(({ id, name }) => ({ value: String(id), label: t('sends.byKey', { name }) }));
  return (
    <FilterForm filtered={hasFilter(query)}>
      <NativeSelect
        name="sender"
        label={t('sends.filterSender')}
        defaultValue={query.sender}
        data={[any, { value: 'hand', label: t('sends.filterHand') }, ...senders]}
        w={width}
      />
      <NativeSelect
        name="kind"
        label={t('sends.filterKind')}
        defaultValue={query.kind}
        data={[any, ...kinds.map((kind) => ({ value: kind, label: t(`inbox.kind.${kind}`) }))]}
        w={width}
      />
      <NativeSelect
        name="state"
        label={t('sends.filterState')}
        defaultValue={query.state}
        data={[any, ...sendStates.map((state) => ({ value: state, label: t(`sends.state.${state}`) }))]}
        w={width}
      />
      <TextInput type="date" name="day" label={t('sends.filterDay')} defaultValue={query.day} w={width} />
      <PersonSelect
        name="employee"
        label={t('sends.filterPerson')}
        placeholder={t('sends.filterPersonHint')}
        initial={person}
        w={width}
      />
      <TextInput
        type="search"
        name="search"
        label={t('sends.filterSearch')}
        defaultValue={query.search}
        maxLength={120}
        w={width}
      />
    </FilterForm>
  );
}
