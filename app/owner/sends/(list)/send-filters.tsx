'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { PersonSelect } from '#app/owner/sends/person-select.tsx';
import { asSendQuery, sendStates } from '#app/owner/sends/send-filter.ts';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';
import { kinds } from '#server/notifications/kinds.ts';
import type { SendFilter } from '#server/sends/list.ts';
import type { PossibleRecipient } from '#server/sends/recipient-choices.ts';

const width = { base: 'calc(50% - 6px)', xs: 200 } as const;

/** What the list of sends can be narrowed to, all of it in the address. */
export function SendFilters({
  filter,
  keys,
  person,
}: {
  filter: SendFilter;
  keys: { id: number; name: string }[];
  person: PossibleRecipient | null;
}) {
  const t = useTranslations();
  const any = { value: '', label: t('filter.any') };
  const senders = keys.map(({ id, name }) => ({ value: String(id), label: t('sends.byKey', { name }) }));
  return (
    <FilterForm filtered={asSendQuery(filter) !== ''}>
      <NativeSelect
        name="sender"
        label={t('sends.filterSender')}
        defaultValue={filter.byHand ? 'hand' : String(filter.keyId ?? '')}
        data={[any, { value: 'hand', label: t('sends.filterHand') }, ...senders]}
        w={width}
      />
      <NativeSelect
        name="kind"
        label={t('sends.filterKind')}
        defaultValue={filter.kind ?? ''}
        data={[any, ...kinds.map((kind) => ({ value: kind, label: t(`inbox.kind.${kind}`) }))]}
        w={width}
      />
      <NativeSelect
        name="state"
        label={t('sends.filterState')}
        defaultValue={filter.state ?? ''}
        data={[any, ...sendStates.map((state) => ({ value: state, label: t(`sends.state.${state}`) }))]}
        w={width}
      />
      <TextInput type="date" name="day" label={t('sends.filterDay')} defaultValue={filter.day} w={width} />
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
        defaultValue={filter.search}
        maxLength={120}
        w={width}
      />
    </FilterForm>
  );
}
