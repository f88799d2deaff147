'use client';

import { Button } from '@mantine/core';
import { PencilLine } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Correctable } from '#app/owner/sends/[no]/correct-dialog.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';

const CorrectDialog = whenNeeded(() =>
  import('#app/owner/sends/[no]/correct-dialog.tsx').then(({ CorrectDialog }) => CorrectDialog),
);

/** The button that corrects the text of a send by hand. */
export function CorrectButton(send: Correctable) {
  const t = useTranslations('sends');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<PencilLine aria-hidden size={18} />} onClick={() => setOpen(true)}>
        {t('correct')}
      </Button>
      {open && <CorrectDialog send={send} onClose={() => setOpen(false)} />}
    </>
  );
}
