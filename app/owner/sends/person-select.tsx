import '#app/ui/forms/choices.css';
import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { listPossibleRecipientsAction } from '#app/owner/sends/actions.ts';
import type { PossibleRecipient } from '#server/sends/manual/possible-recipients.ts';

type Props = SelectProps & {
  initial: PossibleRecipient | null;
  onChoose: (person: PossibleRecipient | null) => void;
};

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
    searchable: true,
    nothingFoundMessage: t('nothingFound'),
    data: people.map((person) => ({ value: String(person.id), label: labelOf(person) })),
  };
  return { labelOf, select, clear: t('clearPerson') };
}

const without = (people: PossibleRecipient[], others: PossibleRecipient[]) =>
  people.filter(({ id }) => !others.some((other) => other.id === id));

/** A select for one employee. The server searches for the text that the user types. */
export function PersonSelect({ initial, onChoose, ...props }: Props) {
  const [chosen, setChosen] = useState(initial);
  const { matches, lookUp } = usePersonSearch(initial ? [initial] : []);
  const people = [...without(chosen ? [chosen] : [], matches), ...matches];
  const { labelOf, select, clear } = useLabels(people);
  return (
    <Select
      {...select}
      styles={{ input: { minHeight: 44 } }}
      clearable
      rightSectionWidth={44}
      clearButtonProps={{ size: '44', tabIndex: 0, 'aria-hidden': false, 'aria-label': clear }}
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
      {...props}
    />
  );
}

type PeopleProps = MultiSelectProps & { chosen: PossibleRecipient[]; onChoose: (people: PossibleRecipient[]) => void };

/** As `PersonSelect`, for several employees. */
export function PeopleSelect({ chosen, onChoose, ...props }: PeopleProps) {
  const { matches, lookUp } = usePersonSearch([]);
  const people = [...chosen, ...without(matches, chosen)];
  const { select } = useLabels(people);
  const isFound = (value: string) => matches.some(({ id }) => String(id) === value);
  return (
    <MultiSelect
      {...select}
      filter={({ options }) => options.filter((option) => 'value' in option && isFound(option.value))}
      value={chosen.map(({ id }) => String(id))}
      onDropdownOpen={() => void lookUp('')}
      onSearchChange={(search) => void lookUp(search)}
      onChange={(ids) => onChoose(people.filter(({ id }) => ids.includes(String(id))))}
      {...props}
    />
  );
}

export function RoleSelect(props: MultiSelectProps) {
  const t = useTranslations('compose');
  return <MultiSelect size="md" nothingFoundMessage={t('noRoles')} searchable {...props} />;
}
