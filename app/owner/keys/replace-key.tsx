'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { replaceKeyAction } from '#app/owner/keys/actions.ts';
import { type KeyDraft, KeyForm } from '#app/owner/keys/key-form.tsx';
import { NewKeyDialog, type ShownKey } from '#app/owner/keys/new-key-dialog.tsx';
import { useKeyProblems } from '#app/owner/keys/use-key-problems.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';
import { maxKeyNameLength } from '#server/keys/limits.ts';

/** The dialog that creates a replacement for a key and shows it once. */
export function ReplaceKey({
  apiKey,
  names,
  baseUrl,
  onClose,
}: {
  apiKey: KeyOverview;
  /** The names of the active keys. */
  names: string[];
  baseUrl: string;
  onClose: () => void;
}) {
  const t = useTranslations('keys');
  const [newKey, setNewKey] = useState<ShownKey>();
  const replace = (draft: KeyDraft) => replaceKeyAction({ ...draft, id: apiKey.id });
  const state = useProvedAction(replace, setNewKey, useKeyProblems());
  if (newKey) return <NewKeyDialog newKey={newKey} baseUrl={baseUrl} onSaved={onClose} />;
  return (
    <Dialog onClose={onClose} title={<bdi>{t('replaceTitle', { name: apiKey.name })}</bdi>}>
      <KeyForm
        lead={t('replaceLead')}
        draft={{ name: suggestName(apiKey.name, names), note: apiKey.note ?? '' }}
        submit={t('replace')}
        state={state}
        onCancel={onClose}
      />
    </Dialog>
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
