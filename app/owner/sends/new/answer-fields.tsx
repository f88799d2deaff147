import '#app/ui/forms/controls.css';
import { Chip, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Fold } from '#app/owner/sends/new/fold.tsx';
import type { FormDraft } from '#app/owner/sends/new/form-draft.ts';
import { asAnswers, countCharacters, maxAnswerLength, maxAnswers } from '#server/notifications/field-rules.ts';

const places = Array.from({ length: maxAnswers }, (_, place) => place);
// Own answers fill all fields, so that typing a ready pair does not close them.
const asFields = (answers: string[]) => places.map((place) => answers[place] ?? '');

type Props = { answers: string[]; problem?: string; onChange: (changes: Partial<FormDraft>) => void };

/** One line that says for which answers the message asks, and opens the choice: ready ones, or own ones. */
export function AnswerFields({ answers, problem, onChange }: Props) {
  const t = useTranslations('compose');
  const ready = [t('ready.can'), t('ready.yes'), t('ready.present')];
  const words = (value: string) => (value === 'none' || value === 'own' ? t(`ask_${value}`) : value);
  const pair = ready.find((pair) => pair === answers.join(' / '));
  const chosen = answers.length === 0 ? 'none' : (pair ?? 'own');
  const [own, setOwn] = useState<string[]>();
  const long = places.filter((place) => countCharacters((answers[place] ?? '').trim()) > maxAnswerLength);
  const choose = (value: string | string[]) => {
    if (chosen === 'own') setOwn(answers);
    if (value === 'none') onChange({ answers: [] });
    else onChange({ answers: value === 'own' ? (own ?? asFields(answers)) : String(value).split(' / ') });
  };
  const summary = asAnswers(answers).join(' / ') || words(chosen);
  return (
    <Fold label={t('ask')} summary={<bdi>{summary}</bdi>} opened={problem !== undefined}>
      <Chip.Group value={chosen} onChange={choose}>
        <Group gap={6} role="radiogroup" aria-label={t('ask')}>
          {['none', ...ready, 'own'].map((value) => (
            <Chip key={value} value={value}>
              {words(value)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {chosen === 'own' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {places.map((place) => (
            <TextInput
              key={place}
              label={t('answerField', { place: place + 1 })}
              value={answers[place] ?? ''}
              error={(long.length > 0 ? long.includes(place) : place === 0) && problem}
              required={place < 2}
              onChange={({ currentTarget }) =>
                onChange({ answers: asFields(answers).with(place, currentTarget.value) })
              }
            />
          ))}
        </SimpleGrid>
      )}
      <Text className="fine-print">{t('askHint')}</Text>
    </Fold>
  );
}
