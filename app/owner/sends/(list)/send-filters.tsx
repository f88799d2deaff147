'use client';

import { TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useContext, useState } from 'react';
import type { SendQuery } from '#app/owner/sends/send-query.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { ApplyFilters } from '#app/ui/lists/filter-controls.tsx';
import { kinds } from '#server/notifications/kinds.ts';
import { sendStates } from '#server/sends/history/states.ts';
import type { PossibleRecipient } from '#server/sends/manual/possible-recipients.ts';

type Props = { query: SendQuery; keys: { id: number; name: string }[]; person: PossibleRecipient | null };

export function SendFilters({ query, keys, person }: Props) {
  const t = useTranslations();
  const senders = [
    { value: 'hand', label: t('sends.filterHand') },
    ...keys.map(({ id, name }) => ({ value: String(id), label: t('sends.byKey', { name }) })),
  ];
  const ofKind = kinds.map((value) => ({ value, label: t(`inbox.kind.${value}`) }));
  const states = sendStates.map((value) => ({ value, label: t(`sends.state.${value}`) }));
  return (
    <FilterBar
      search={{ name: 'search', label: t('sends.filterSearch'), value: query.search }}
      filters={[
        { type: 'select', name: 'sender', label: t('sends.filterSender'), value: query.sender, choices: senders },
        { type: 'select', name: 'kind', label: t('sends.filterKind'), value: query.kind, choices: ofKind },
        { type: 'select', name: 'state', label: t('sends.filterState'), value: query.state, choices: states },
        { type: 'days', label: t('sends.filterDay'), value: { days: query.days, from: query.from, to: query.to } },
        {
          type: 'own',
          name: 'employee',
          label: t('sends.filterPerson'),
          value: query.employee,
          text: person?.name ?? String(query.employee),
          control: <PersonField person={person} />,
        },
      ]}
    />
  );
}

const PersonSelect = whenNeeded(() => import('#app/owner/sends/person-select.tsx'), 'PersonSelect', {
  height: 44,
  texts: true,
});

// The search for a person is loaded when its field gets the focus.
function PersonField({ person }: { person: PossibleRecipient | null }) {
  const t = useTranslations('sends');
  const apply = useContext(ApplyFilters);
  const [isUsed, setUsed] = useState(false);
  const label = t('filterPerson');
  const look = { size: 'sm', 'aria-label': label, placeholder: label, w: { sm: 190 } } as const;
  if (isUsed) return <PersonSelect name="employee" initial={person} onChoose={apply} autoFocus {...look} />;
  return (
    <>
      <TextInput
        role="combobox"
        aria-expanded={false}
        readOnly
        value={person?.name ?? ''}
        onFocus={() => setUsed(true)}
        {...look}
      />
      {person && <input type="hidden" name="employee" value={person.id} />}
    </>
  );
}
