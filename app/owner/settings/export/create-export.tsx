'use client';

import { Alert, Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { createExportAction } from '#app/owner/settings/export/actions.ts';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';

/** The button that starts an export and opens its page. */
export function CreateExport() {
  const t = useTranslations('exports');
  const router = useRouter();
  const { run, pending, problems, dialog } = useProvedAction(createExportAction, (id: string) =>
    router.push(`/owner/settings/export/${id}`),
  );
  return (
    <>
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      <Button
        leftSection={<Download aria-hidden size={18} />}
        loading={pending}
        onClick={() => void run({})}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('create')}
      </Button>
      {dialog}
    </>
  );
}
