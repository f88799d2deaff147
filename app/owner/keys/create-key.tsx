'use client';

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { createKeyAction } from '#app/owner/keys/actions.ts';
import { type KeyDraft, KeyForm } from '#app/owner/keys/key-form.tsx';
import { NewKeyDialog, type ShownKey } from '#app/owner/keys/new-key-dialog.tsx';
import { useKeyProblems } from '#app/owner/keys/use-key-problems.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';

/** The button that creates a key: asks for its name, then shows the key once. */
export function CreateKey({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations('keys');
  const router = useRouter();
  const [opened, { open, close }] = useDisclosure();
  const [newKey, setNewKey] = useState<ShownKey>();
  const finish = () => {
    setNewKey(undefined);
    close();
    router.refresh();
  };
  return (
    <>
      <Button leftSection={<Plus aria-hidden size={18} />} onClick={open}>
        {t('create')}
      </Button>
      {newKey && <NewKeyDialog newKey={newKey} baseUrl={baseUrl} onSaved={finish} />}
      {opened && !newKey && <CreateDialog onCreated={setNewKey} onClose={close} />}
    </>
  );
}

function CreateDialog({ onCreated, onClose }: { onCreated: (newKey: ShownKey) => void; onClose: () => void }) {
  const t = useTranslations('keys');
  const create = (draft: KeyDraft) => createKeyAction(draft);
  const state = useProvedAction(create, onCreated, useKeyProblems());
  return (
    <Dialog onClose={onClose} title={t('create')}>
      <KeyForm submit={t('create')} state={state} onCancel={onClose} />
    </Dialog>
  );
}
