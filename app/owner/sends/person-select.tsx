import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { listPossibleRecipientsAction } from '#app/owner/sends/actions.ts';
import type { PossibleRecipient } from '#server/sends/manual/possible-recipients.ts';

const debounceMs = 200;

type Props = SelectProps & {
  initial: PossibleRecipient | null;
  onChoose: (person: PossibleRecipient | null) => void;
};

/** Searches for employees, for a person who types. Answers that are overtaken are left out. */
export function usePersonSearch(initial: PossibleRecipient[]) {
  const [found, setFound] = useState(initial);
  const lastRequest = useRef(0);
  const lookUpNow = async (search: string) => {
    const request = ++lastRequest.current;
    const result = await listPossibleRecipientsAction({ search }).catch(() => null);
    if (request === lastRequest.current && result && 'value' in result) setFound(result.value);
  };
  return { found, lookUpNow, lookUp: useDebouncedCallback(lookUpNow, debounceMs) };
}

/** A select for one employee. The server searches for the text that the user types. */
export function PersonSelect({ initial, onChoose, ...select }: Props) {
  const t = useTranslations('compose');
  const [chosen, setChosen] = useState(initial);
  const { found, lookUp } = usePersonSearch(initial ? [initial] : []);
  // The id tells people of one name and role apart.
  const labelOf = ({ id, name, role, active }: PossibleRecipient) => {
    const isAlone = found.every((other) => other.id === id || other.name !== name || other.role !== role);
    return `${name} · ${role}${isAlone ? '' : ` · ${id}`}${active ? '' : ` (${t('personInactive')})`}`;
  };
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
      // The server has filtered the options already.
      filter={({ options }) => options}
      value={chosen ? String(chosen.id) : null}
      onDropdownOpen={() => void lookUp('')}
      onSearchChange={(search) => {
        if (!chosen || search !== labelOf(chosen)) void lookUp(search);
      }}
      onChange={(value) => {
        const person = people.find(({ id }) => String(id) === value) ?? null;
        setChosen(person);
        onChoose(person);
      }}
      {...select}
    />
  );
}
