'use client';

import { useTranslations } from 'next-intl';
import { PersonSelect } from '#app/owner/sends/person-select.tsx';
import type { SendQuery } from '#app/owner/sends/send-query.ts';
import { hasFilter } from '#app/ui/lists/address.ts';
import { DateField } from '#app/ui/lists/date-field.tsx';
import { FilterSearch, FilterSelect } from '#app/ui/lists/filter-fields.tsx';
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
  const senders = keys.map(({ id, name }) => ({ value: String(id), label: t('sends.byKey', { name }) }));
  return (
    <FilterForm filtered={hasFilter(query)}>
      <FilterSelect
        name="sender"
        label={t('sends.filterSender')}
        defaultValue={query.sender}
        choices={[{ value: 'hand', label: t('sends.filterHand') }, ...senders]}
        w={width}
      />
      <FilterSelect
        name="kind"
        label={t('sends.filterKind')}
        defaultValue={query.kind}
        choices={kinds.map((kind) => ({ value: kind, label: t(`inbox.kind.${kind}`) }))}
        w={width}
      />
      <FilterSelect
        name="state"
        label={t('sends.filterState')}
        defaultValue={query.state}
        choices={sendStates.map((state) => ({ value: state, label: t(`sends.state.${state}`) }))}
        w={width}
      />
      <DateField name="day" label={t('sends.filterDay')} defaultValue={query.day} w={width} />
      <PersonSelect
        name="employee"
        label={t('sends.filterPerson')}
        placeholder={t('sends.filterPersonHint')}
        initial={person}
        w={width}
      />
      <FilterSearch label={t('sends.filterSearch')} defaultValue={query.search} w={width} />
    </FilterForm>
  );
}
