import '#app/ui/forms/choices.css';
import { MultiSelect, type MultiSelectProps, Select } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { use, useRef, useState } from 'react';
import { listPossibleRecipientsAction } from '#app/owner/sends/actions.ts';
import { FormProblems } from '#app/ui/forms/form-values.ts';
import type { PossibleRecipient } from '#server/sends/manual/possible-recipients.ts';

/** Searches for employees, for a person who types. Answers that are overtaken are left out. */
function usePersonSearch(initial: PossibleRecipient[]) {
  const [matches, setMatches] = useState(initial);
  const lastRequest = useRef(0);
  const lookUp = useDebouncedCallback(async (search: string) => {
    const request = ++lastRequest.current;
    const result = await listPossibleRecipientsAction({ search }).catch(() => null);
    if (request === lastRequest.current && result && 'value' in result) setMatches(result.value);
  }, 200);
  return { matches, lookUp };
}

// The id tells people of one name and role apart.
function useLabels(people: PossibleRecipient[]) {
  const t = useTranslations('compose');
  const labelOf = ({ id, name, role, active }: PossibleRecipient) => {
    const isAlone = people.every((other) => other.id === id || other.name !== name || other.role !== role);
    return `${name} · ${role}${isAlone ? '' : ` · ${id}`}${active ? '' : ` (${t('personInactive')})`}`;
  };
  const select = {
    size: 'md' as const,
    required: true,
    searchable: true,
    error: use(FormProblems).recipientId,
    placeholder: t('personHint'),
    nothingFoundMessage: t('nothingFound'),
    data: people.map((person) => ({ value: String(person.id), label: labelOf(person) })),
  };
  return { t, labelOf, select };
}

const without = (people: PossibleRecipient[], others: PossibleRecipient[]) =>
  people.filter(({ id }) => !others.some((other) => other.id === id));

type PersonProps = { initial: PossibleRecipient | null; onChoose: (person: PossibleRecipient | null) => void };

/** A select for one employee. The server searches for the text that the user types. */
export function PersonSelect({ initial, onChoose }: PersonProps) {
  const [chosen, setChosen] = useState(initial);
  const { matches, lookUp } = usePersonSearch(initial ? [initial] : []);
  const people = [...without(chosen ? [chosen] : [], matches), ...matches];
  const { t, labelOf, select } = useLabels(people);
  return (
    <Select
      {...select}
      label={t('person')}
      styles={{ input: { minHeight: 44 } }}
      clearable
      rightSectionWidth={44}
      clearButtonProps={{ size: '44', tabIndex: 0, 'aria-hidden': false, 'aria-label': t('clearPerson') }}
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
    />
  );
}

type PeopleProps = { chosen: PossibleRecipient[]; onChoose: (people: PossibleRecipient[]) => void };

/** As `PersonSelect`, for several employees. */
export function PeopleSelect({ chosen, onChoose }: PeopleProps) {
  const { matches, lookUp } = usePersonSearch([]);
  const people = [...chosen, ...without(matches, chosen)];
  const { t, select } = useLabels(people);
  const isFound = (value: string) => matches.some(({ id }) => String(id) === value);
  return (
    <MultiSelect
      {...select}
      label={t('people')}
      filter={({ options }) => options.filter((option) => 'value' in option && isFound(option.value))}
      value={chosen.map(({ id }) => String(id))}
      onDropdownOpen={() => void lookUp('')}
      onSearchChange={(search) => void lookUp(search)}
      onChange={(ids) => onChoose(people.filter(({ id }) => ids.includes(String(id))))}
    />
  );
}

export function RoleSelect(props: MultiSelectProps) {
  const t = useTranslations('compose');
  return (
    <MultiSelect
      size="md"
      label={t('roles')}
      error={use(FormProblems).recipientId}
      nothingFoundMessage={t('noRoles')}
      required
      searchable
      {...props}
    />
  );
}
