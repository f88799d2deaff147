'use client';

import { Button, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { deleteTemplateAction } from '#app/owner/sends/new/template-actions.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

/** The button that deletes a template, after a question. */
export function DeleteTemplate({ id, name }: { id: number; name: string }) {
  const t = useTranslations('templates');
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const deleted = () => {
    setAsking(false);
    router.refresh();
  };
  const { run, pending, problems } = useAction(deleteTemplateAction, deleted, { templateGone: t('templateGone') });
  return (
    <>
      <Button variant="light" color="red" onClick={() => setAsking(true)} aria-label={t('deleteNamed', { name })}>
        {t('delete')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('deleteTitle', { name })}
          submit={t('delete')}
          isDestructive
          problem={problems.form}
          pending={pending}
          onClose={() => setAsking(false)}
          onConfirm={() => void run({ template: id })}
        >
          <Text>{t('deleteText')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
