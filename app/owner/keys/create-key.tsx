'use client';

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { createKeyAction } from '#app/owner/keys/actions.ts';
import { type KeyDraft, KeyForm } from '#app/owner/keys/key-form.tsx';
import { type MadeKey, ShownOnce, useKeyProblems } from '#app/owner/keys/shown-once.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';

/** Asks for a name, then shows the key once. */
export function CreateKey({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations('keys');
  const router = useRouter();
  const [opened, { open, close }] = useDisclosure();
  const [made, setMade] = useState<MadeKey>();
  const finish = () => {
    setMade(undefined);
    close();
    router.refresh();
  };
  return (
    <>
      <Button leftSection={<Plus aria-hidden size={18} />} onClick={open}>
        {t('create')}
      </Button>
      {made && <ShownOnce made={made} baseUrl={baseUrl} onSaved={finish} />}
      {opened && !made && <CreateDialog onMade={setMade} onClose={close} />}
    </>
  );
}

function CreateDialog({ onMade, onClose }: { onMade: (made: MadeKey) => void; onClose: () => void }) {
  const t = useTranslations('keys');
  const create = (draft: KeyDraft) => createKeyAction(draft);
  const state = useProvedAction(create, onMade, useKeyProblems());
  return (
    <Dialog onClose={onClose} title={t('create')}>
      <KeyForm submit={t('create')} state={state} onCancel={onClose} />
    </Dialog>
  );
}
