'use client';

import { Button, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { deleteTemplateAction } from '#app/owner/sends/actions.ts';
import { ConfirmedAction } from '#app/ui/sessions/confirmed-action.tsx';

export function DeleteTemplate({ id, name }: { id: number; name: string }) {
  const t = useTranslations('templates');
  return (
    <ConfirmedAction
      button={(ask) => (
        <Button variant="default" onClick={ask} aria-label={t('deleteNamed', { name })}>
          {t('delete')}
        </Button>
      )}
      action={deleteTemplateAction}
      input={{ template: id }}
      sentences={{ templateGone: t('templateGone') }}
      title={t('deleteTitle', { name })}
      submit={t('delete')}
      isDestructive
    >
      <Text>{t('deleteText')}</Text>
    </ConfirmedAction>
  );
}
