'use client';

import { Checkbox, Input, Pill, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useEffect, useId, useRef, useState } from 'react';
import { listPossibleRecipientsAction } from '#app/owner/sends/actions.ts';
import type { PossibleRecipient } from '#server/sends/possible-recipients.ts';

const debounceMs = 200;

/** A search for employees with rows to check, and the chosen ones as chips. */
export function PeopleChoice({
  chosen,
  error,
  onChange,
}: {
  chosen: PossibleRecipient[];
  error?: string;
  onChange: (people: PossibleRecipient[]) => void;
}) {
  const t = useTranslations('compose');
  const id = useId();
  const [search, setSearch] = useState('');
  const [found, setFound] = useState<PossibleRecipient[]>([]);
  const lastRequest = useRef(0);
  const lookUp = async (words: string) => {
    const request = ++lastRequest.current;
    const result = await listPossibleRecipientsAction({ search: words }).catch(() => null);
    if (request === lastRequest.current && result && 'value' in result) setFound(result.value);
  };
  const lookUpLater = useDebouncedCallback(lookUp, debounceMs);
  const first = useRef(lookUp);
  useEffect(() => void first.current(''), []);
  const isChosen = (person: PossibleRecipient) => chosen.some((one) => one.id === person.id);
  const remove = (person: PossibleRecipient) => onChange(chosen.filter((one) => one.id !== person.id));
  return (
    <Input.Wrapper label={t('people')} error={error} required labelElement="div" labelProps={{ id }}>
      {chosen.length > 0 && (
        <Pill.Group className="chips" mb="xs">
          {chosen.map((person) => (
            <Pill
              key={person.id}
              size="lg"
              withRemoveButton
              removeButtonProps={{ 'aria-label': t('removePerson', { name: person.name }), tabIndex: 0 }}
              onRemove={() => remove(person)}
            >
              <bdi>{person.name}</bdi>
              {!person.active && ` (${t('personInactive')})`}
            </Pill>
          ))}
        </Pill.Group>
      )}
      <TextInput
        type="search"
        value={search}
        placeholder={t('personHint')}
        aria-label={t('personHint')}
        mb="xs"
        onChange={({ currentTarget: { value } }) => {
          setSearch(value);
          void lookUpLater(value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
        }}
      />
      <fieldset className="choice-rows" aria-labelledby={id}>
        {found.map((person) => (
          <Checkbox
            key={person.id}
            className="choice-row"
            size="md"
            checked={isChosen(person)}
            label={
              <>
                <bdi>{person.name}</bdi>
                <Text component="span" size="sm" c="dimmed">
                  <bdi>{person.role}</bdi> · {person.id}
                  {!person.active && ` · ${t('personInactive')}`}
                </Text>
              </>
            }
            onChange={() => (isChosen(person) ? remove(person) : onChange([...chosen, person]))}
          />
        ))}
        {found.length === 0 && <Text p="sm">{t('nothingFound')}</Text>}
      </fieldset>
    </Input.Wrapper>
  );
}
