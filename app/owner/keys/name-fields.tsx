'use client';

import { Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { Problems } from '#app/ui/forms/use-action.ts';

/** The fields for name and note of a key. `problems` are shown at them. */
export function NameFields({ name, note, problems }: { name: string; note: string; problems: Problems }) {
  const t = useTranslations('keys');
  return (
    <>
      <TextInput
        name="name"
        label={t('name')}
        placeholder={t('nameHint')}
        defaultValue={name}
        error={problems.name}
        maxLength={120}
        autoComplete="off"
        data-autofocus
        required
      />
      <Textarea
        name="note"
        label={t('note')}
        description={t('noteHint')}
        defaultValue={note}
        error={problems.note}
        size="md"
        autosize
        minRows={2}
      />
    </>
  );
}
