'use client';

import { Button, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { ConfirmedAction } from '#app/ui/sessions/confirmed-action.tsx';
import { endSessionsAction } from '#app/ui/sessions/settings-actions.ts';

export function EndSession({ which, name }: { which: number | 'others'; name: string }) {
  const t = useTranslations('sessions');
  const isSingle = which !== 'others';
  const title = isSingle ? t('endNamed', { name }) : t('endOthers');
  const submit = isSingle ? t('end') : t('endOthers');
  const label = isSingle ? title : undefined;
  return (
    <ConfirmedAction
      action={endSessionsAction}
      input={{ which }}
      sentences={{ gone: t('gone') }}
      title={title}
      submit={submit}
      isDestructive
      button={(ask) => (
        <Button variant="default" onClick={ask} aria-label={label} style={{ alignSelf: 'flex-start' }}>
          {submit}
        </Button>
      )}
    >
      <Text>{isSingle ? t('endText') : t('endOthersText')}</Text>
      <Text className="fine-print">{t('devices')}</Text>
    </ConfirmedAction>
  );
}
