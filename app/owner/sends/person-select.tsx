'use client';

import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { findRecipientsAction } from '#app/owner/sends/actions.ts';
import type { PossibleRecipient } from '#server/sends/recipient-choices.ts';

const waitMs = 200;

/** Chooses one employee among however many: what is typed is looked up on the server. */
export function PersonSelect({
  initial,
  onChoose,
  ...look
}: Omit<SelectProps, 'data' | 'value' | 'onChange' | 'onSearchChange'> & {
  initial: PossibleRecipient | null;
  onChoose?: (person: PossibleRecipient | null) => void;
}) {
  const t = useTranslations('compose');
  const [chosen, setChosen] = useState(initial);
  const [found, setFound] = useState<PossibleRecipient[]>(initial ? [initial] : []);
  const asked = useRef(0);
  const labelOf = ({ id, name, role, active }: PossibleRecipient) =>
    `${name} · ${role} · ${id}${active ? '' : ` (${t('personInactive')})`}`;
  const lookUp = useDebouncedCallback(async (search: string) => {
    const turn = ++asked.current;
    const result = await findRecipientsAction({ search }).catch(() => null);
    if (turn === asked.current && result && 'value' in result) setFound(result.value);
  }, waitMs);
  const people = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  return (
    <Select
      size="md"
      searchable
      styles={{ input: { minHeight: 44 } }}
      clearable
      clearButtonProps={{ tabIndex: 0, 'aria-label': t('clearPerson') }}
      nothingFoundMessage={t('nothingFound')}
      data={people.map((person) => ({ value: String(person.id), label: labelOf(person) }))}
      // The server has looked already.
      filter={({ options }) => options}
      value={chosen ? String(chosen.id) : null}
      onDropdownOpen={() => void lookUp('')}
      onSearchChange={(search) => {
        if (!chosen || search !== labelOf(chosen)) void lookUp(search);
      }}
      onChange={(value) => {
        const person = people.find(({ id }) => String(id) === value) ?? null;
        setChosen(person);
        onChoose?.(person);
      }}
      {...look}
    />
  );
}
