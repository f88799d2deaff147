'use client';

import { KeyRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type KeyAction, KeyDialog } from '#app/owner/keys/key-dialogs.tsx';
import { KeyReplacements } from '#app/owner/keys/key-replacements.tsx';
import { KeyTable } from '#app/owner/keys/key-table.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import type { KeyOverview, KeyReplacement } from '#server/keys/key-overview.ts';

/** The active keys, the replacements in progress, and the dialogs for the actions on a key. */
export function ActiveKeys({
  keys,
  replacements,
  baseUrl,
}: {
  keys: KeyOverview[];
  replacements: KeyReplacement[];
  baseUrl: string;
}) {
  const t = useTranslations('keys');
  const router = useRouter();
  const [chosen, setChosen] = useState<{ action: KeyAction; apiKey: KeyOverview }>();
  const choose = (action: KeyAction, apiKey: KeyOverview) => setChosen({ action, apiKey });
  const onClose = () => {
    setChosen(undefined);
    router.refresh();
  };
  const names = keys.map(({ name }) => name);
  return (
    <>
      {keys.length === 0 ? (
        <EmptyState icon={<KeyRound aria-hidden size={32} />} title={t('empty')} text={t('emptyText')} />
      ) : (
        <>
          <KeyReplacements replacements={replacements} onRevoke={(apiKey) => choose('revoke', apiKey)} />
          <KeyTable keys={keys} onChoose={choose} />
        </>
      )}
      {chosen && <KeyDialog {...chosen} names={names} baseUrl={baseUrl} onClose={onClose} />}
    </>
  );
}
