'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { ConfirmedAction } from '#app/ui/sessions/confirmed-action.tsx';
import { endSessionsAction } from '#app/ui/sessions/settings-actions.ts';

export function EndSession({ which, name }: { which: number | 'others'; name: string }) {
  const t = useTranslations('sessions');
  const isSingle = which !== 'others';
  const title = isSingle ? t('endNamed', { name }) : t('endOthers');
  return (
    <ConfirmedAction
      action={endSessionsAction}
      input={{ which }}
      sentences={{ gone: t('gone') }}
      title={title}
      submit={isSingle ? t('end') : title}
      isDestructive
      label={isSingle ? title : undefined}
    >
      <Text>{isSingle ? t('endText') : t('endOthersText')}</Text>
      <Text className="fine-print">{t('devices')}</Text>
    </ConfirmedAction>
  );
}
