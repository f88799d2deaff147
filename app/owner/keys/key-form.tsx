'use client';

import { Alert, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { FormEvent, ReactNode } from 'react';
import { FormButtons } from '#app/ui/forms/form-buttons.tsx';
import { type Problems, readForm } from '#app/ui/forms/use-action.ts';

/** The fields of the form for a new key. */
export type KeyDraft = { name: string; note: string };

/** The form for a new key: name and note. */
export function KeyForm({
  lead,
  draft = { name: '', note: '' },
  submit,
  state: { run, pending, problems, dialog },
  onCancel,
}: {
  lead?: string;
  draft?: KeyDraft;
  submit: string;
  state: { run: (draft: KeyDraft) => void; pending: boolean; problems: Problems; dialog: ReactNode };
  onCancel: () => void;
}) {
  const t = useTranslations('keys');
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '', note = '' } = readForm(event.currentTarget);
    run({ name, note });
  };
  return (
    <>
      <form onSubmit={send} noValidate>
        <Stack>
          {lead && <Text>{lead}</Text>}
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <TextInput
            name="name"
            label={t('name')}
            placeholder={t('nameHint')}
            defaultValue={draft.name}
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
            defaultValue={draft.note}
            error={problems.note}
            size="md"
            autosize
            minRows={2}
          />
          <FormButtons submit={submit} pending={pending} onCancel={onCancel} />
        </Stack>
      </form>
      {dialog}
    </>
  );
}
