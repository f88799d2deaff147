'use client';

import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import { createKeyAction, replaceKeyAction } from '#app/owner/keys/actions.ts';
import { ExpiryField, NameFields, useKeyProblems } from '#app/owner/keys/create/key-fields.tsx';
import { NewKeyDialog, type ShownKey } from '#app/owner/keys/create/new-key-dialog.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { FormButtons } from '#app/ui/forms/form-buttons.tsx';
import { readForm } from '#app/ui/forms/use-action.ts';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';
import { maxKeyNameLength } from '#server/keys/limits.ts';

/** The button that creates a key: asks for its name, then shows the key once. */
export function CreateKey({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations('keys');
  const router = useRouter();
  const [opened, { open, close }] = useDisclosure();
  const finish = () => {
    close();
    router.refresh();
  };
  return (
    <>
      <Button leftSection={<Plus aria-hidden size={18} />} onClick={open}>
        {t('create')}
      </Button>
      {opened && (
        <NewKey
          action={createKeyAction}
          title={t('create')}
          submit={t('create')}
          baseUrl={baseUrl}
          onClose={close}
          onSaved={finish}
        />
      )}
    </>
  );
}

/** The dialog that creates a replacement for a key and shows it once. `names` are those of the active keys. */
export function ReplaceKey({
  apiKey: { id, name, note },
  names,
  baseUrl,
  onClose,
}: {
  apiKey: KeyOverview;
  names: string[];
  baseUrl: string;
  onClose: () => void;
}) {
  const t = useTranslations('keys');
  return (
    <NewKey
      action={(draft) => replaceKeyAction({ ...draft, id })}
      title={<bdi>{t('replaceTitle', { name })}</bdi>}
      lead={t('replaceLead')}
      name={suggestName(name, names)}
      note={note ?? ''}
      submit={t('replace')}
      baseUrl={baseUrl}
      onClose={onClose}
      onSaved={onClose}
    />
  );
}

// Counts up: "n8n", "n8n 2", "n8n 3".
function suggestName(name: string, taken: string[]): string {
  const [, stem = name, last = '1'] = /^(.*) (\d{1,3})$/u.exec(name) ?? [];
  for (let number = Number(last) + 1; ; number++) {
    const suggestion = `${[...stem].slice(0, maxKeyNameLength - 5).join('')} ${number}`;
    if (!taken.includes(suggestion)) return suggestion;
  }
}

// The form for a new key: name, note and, folded away, the last valid day. Then the key itself.
function NewKey({
  action,
  title,
  lead,
  name = '',
  note = '',
  submit,
  baseUrl,
  onClose,
  onSaved,
}: {
  action: (draft: { name: string; note: string; expiresOn: string | null }) => Promise<Result<ShownKey>>;
  title: ReactNode;
  lead?: string;
  name?: string;
  note?: string;
  submit: string;
  baseUrl: string;
  onClose: () => void;
  onSaved: () => void;
}) {
  const t = useTranslations('keys');
  const [newKey, setNewKey] = useState<ShownKey>();
  const { run, pending, problems, dialog } = useReauthenticatedAction(action, setNewKey, useKeyProblems());
  if (newKey) return <NewKeyDialog newKey={newKey} baseUrl={baseUrl} onSaved={onSaved} />;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '', note = '', expiresOn = '' } = readForm(event.currentTarget);
    void run({ name, note, expiresOn: expiresOn || null });
  };
  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={send} noValidate>
        <Stack>
          {lead && <Text>{lead}</Text>}
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <NameFields name={name} note={note} problems={problems} />
          <details className="folded-field">
            <summary>{t('expiresFold')}</summary>
            <ExpiryField expiresOn={null} error={problems.expiresOn} />
          </details>
          <FormButtons submit={submit} pending={pending} onCancel={onClose} />
        </Stack>
      </form>
      {dialog}
    </Dialog>
  );
}
