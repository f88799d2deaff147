'use client';

import { Button, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { makeRecoveryCodesAction } from '#app/owner/settings/actions.ts';
import { Dialog, useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';
import { ActionDialog } from '#app/ui/sessions/form-dialog.tsx';

/** Says how many recovery codes are left, and makes new ones, which it shows once. */
export function RecoveryCodes({ left }: { left: number }) {
  const t = useTranslations('passkeys');
  const [opened, open, close] = useOpenDialog<true>();
  const [codes, setCodes] = useState<string[]>();
  const leave = () => {
    setCodes(undefined);
    close();
  };
  const text = codes?.join('\n') ?? '';
  return (
    <Stack gap="xs" align="flex-start">
      <Text className="fine-print">{t('codesLeft', { count: left })}</Text>
      <Button variant="default" onClick={() => open(true)}>
        {t('makeCodes')}
      </Button>
      {opened && !codes && (
        <ActionDialog
          action={makeRecoveryCodesAction}
          input={null}
          title={t('makeCodes')}
          submit={t('makeCodes')}
          onDone={setCodes}
          onClose={close}
          text={t('codesText')}
        />
      )}
      {codes && (
        <Dialog onClose={leave} title={t('codesTitle')} closeOnClickOutside={false}>
          <Stack>
            <Text>{t('codesOnce')}</Text>
            <CopyField label={t('codesTitle')} value={text} copyLabel={t('copyCodes')} />
            <Button
              component="a"
              variant="default"
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
              download={`${t('codesFile')}.txt`}
            >
              {t('downloadCodes')}
            </Button>
          </Stack>
        </Dialog>
      )}
    </Stack>
  );
}
