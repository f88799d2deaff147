'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { replaceKeyAction } from '#app/owner/keys/actions.ts';
import { type KeyDraft, KeyForm } from '#app/owner/keys/key-form.tsx';
import { type MadeKey, ShownOnce, useKeyProblems } from '#app/owner/keys/shown-once.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

/** Makes a key that is to take the place of another, and shows it once. */
export function ReplaceKey({
  apiKey,
  names,
  baseUrl,
  onClose,
}: {
  apiKey: KeyOverview;
  /** The names that are taken. */
  names: string[];
  baseUrl: string;
  onClose: () => void;
}) {
  const t = useTranslations('keys');
  const [made, setMade] = useState<MadeKey>();
  const replace = (draft: KeyDraft) => replaceKeyAction({ ...draft, id: apiKey.id });
  const state = useProvedAction(replace, setMade, useKeyProblems());
  if (made) return <ShownOnce made={made} baseUrl={baseUrl} onSaved={onClose} />;
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

const longestName = 60;

// "n8n" is followed by "n8n 2", that by "n8n 3".
function suggestName(name: string, taken: string[]): string {
  const [, stem = name, last = '1'] = /^(.*) (\d{1,3})$/u.exec(name) ?? [];
  for (let number = Number(last) + 1; ; number++) {
    const suggestion = `${[...stem].slice(0, longestName - 5).join('')} ${number}`;
    if (!taken.includes(suggestion)) return suggestion;
  }
}
