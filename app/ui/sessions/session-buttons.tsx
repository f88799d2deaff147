'use client';

import { Button, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { endSessionsAction } from '#app/ui/sessions/settings-actions.ts';

export function EndSession({ which, name }: { which: number | 'others'; name: string }) {
  const t = useTranslations('sessions');
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const { run, pending, problems, clear } = useAction(
    endSessionsAction,
    () => {
      setAsking(false);
      router.refresh();
    },
    { gone: t('gone') },
  );
  const close = () => {
    clear();
    setAsking(false);
    router.refresh();
  };
  const isSingle = which !== 'others';
  return (
    <>
      <Button
        variant="default"
        onClick={() => setAsking(true)}
        aria-label={isSingle ? t('endNamed', { name }) : undefined}
        style={{ alignSelf: 'flex-start' }}
      >
        {isSingle ? t('end') : t('endOthers')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={isSingle ? t('endNamed', { name }) : t('endOthers')}
          submit={isSingle ? t('end') : t('endOthers')}
          isDestructive
          problem={problems.form}
          pending={pending}
          onClose={close}
          onConfirm={() => void run({ which })}
        >
          <Text>{isSingle ? t('endText') : t('endOthersText')}</Text>
          <Text size="sm" c="dimmed">
            {t('devices')}
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}
