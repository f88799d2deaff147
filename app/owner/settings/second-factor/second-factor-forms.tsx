'use client';

import { Button, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { makeRecoveryCodesAction, requireSecondFactorAction } from '#app/owner/settings/second-factor/actions.ts';
import { Dialog, useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { ActionDialog } from '#app/ui/sessions/confirmed-action.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';

/** The form for the day (YYYY-MM-DD) from which owners and managers need a second factor. */
export function SecondFactorForm({ day }: { day: string | null }) {
  const t = useTranslations('passkeys');
  return (
    <SavedForm
      action={({ day = '' }) => requireSecondFactorAction({ day })}
      sentences={{ 'passkey-first': t('passkeyFirst') }}
      saved={t('saved')}
    >
      <TextField
        name="day"
        type="date"
        label={t('day')}
        description={t('dayHint')}
        defaultValue={day ?? ''}
        required={false}
      />
    </SavedForm>
  );
}

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
        >
          <Text>{t('codesText')}</Text>
        </ActionDialog>
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
