'use client';

import { KeyRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { EditKey } from '#app/owner/keys/edit-key.tsx';
import { KeyPairs } from '#app/owner/keys/key-pairs.tsx';
import { KeyTable } from '#app/owner/keys/key-table.tsx';
import { ReplaceKey } from '#app/owner/keys/replace-key.tsx';
import { RevokeKey } from '#app/owner/keys/revoke-key.tsx';
import { WatchKey } from '#app/owner/keys/watch-key.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import type { KeyOverview, KeyPair } from '#server/keys/key-overview.ts';

/** What can be done to a key from its row. */
export type KeyDeed = 'watch' | 'edit' | 'replace' | 'revoke';

/** The active keys, the replacements under way, and the dialogs that act on one of them. */
export function KeyBoard({ keys, pairs, baseUrl }: { keys: KeyOverview[]; pairs: KeyPair[]; baseUrl: string }) {
  const t = useTranslations('keys');
  const router = useRouter();
  const [chosen, setChosen] = useState<{ deed: KeyDeed; apiKey: KeyOverview }>();
  const choose = (deed: KeyDeed, apiKey: KeyOverview) => setChosen({ deed, apiKey });
  const onClose = () => {
    setChosen(undefined);
    router.refresh();
  };
  const names = keys.map(({ name }) => name);
  const dialog = chosen && { apiKey: chosen.apiKey, onClose };
  return (
    <>
      {keys.length === 0 ? (
        <EmptyState icon={<KeyRound aria-hidden size={32} />} title={t('empty')} text={t('emptyText')} />
      ) : (
        <>
          <KeyPairs pairs={pairs} onRevoke={(apiKey) => choose('revoke', apiKey)} />
          <KeyTable keys={keys} onChoose={choose} />
        </>
      )}
      {dialog && chosen.deed === 'watch' && <WatchKey {...dialog} baseUrl={baseUrl} />}
      {dialog && chosen.deed === 'edit' && <EditKey {...dialog} />}
      {dialog && chosen.deed === 'replace' && <ReplaceKey {...dialog} names={names} baseUrl={baseUrl} />}
      {dialog && chosen.deed === 'revoke' && <RevokeKey {...dialog} />}
    </>
  );
}
