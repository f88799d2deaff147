'use client';

import { Alert, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { FormEvent, ReactNode } from 'react';
import { ExpiryField } from '#app/owner/keys/expiry-field.tsx';
import { NameFields } from '#app/owner/keys/name-fields.tsx';
import { FormButtons } from '#app/ui/forms/form-buttons.tsx';
import { type Problems, readForm } from '#app/ui/forms/use-action.ts';

/** The fields of the form for a new key. */
export type KeyDraft = { name: string; note: string; expiresOn: string | null };

/** The form for a new key: name, note and, folded away, the last valid day. */
export function KeyForm({
  lead,
  draft = { name: '', note: '' },
  submit,
  state: { run, pending, problems, dialog },
  onCancel,
}: {
  lead?: string;
  draft?: Pick<KeyDraft, 'name' | 'note'>;
  submit: string;
  state: { run: (draft: KeyDraft) => void; pending: boolean; problems: Problems; dialog: ReactNode };
  onCancel: () => void;
}) {
  const t = useTranslations('keys');
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '', note = '', expiresOn = '' } = readForm(event.currentTarget);
    run({ name, note, expiresOn: expiresOn || null });
  };
  return (
    <>
      <form onSubmit={send} noValidate>
        <Stack>
          {lead && <Text>{lead}</Text>}
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <NameFields name={draft.name} note={draft.note} problems={problems} />
          <details className="folded-field">
            <summary>{t('expiresFold')}</summary>
            <ExpiryField expiresOn={null} error={problems.expiresOn} />
          </details>
          <FormButtons submit={submit} pending={pending} onCancel={onCancel} />
        </Stack>
      </form>
      {dialog}
    </>
  );
}
