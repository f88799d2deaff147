'use client';

import { Button, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { makeRecoveryCodesAction } from '#app/owner/settings/actions.ts';
import { CopyField } from '#app/ui/forms/copy-field.tsx';
import { ConfirmedAction } from '#app/ui/sessions/form-dialog.tsx';

/** Says how many recovery codes are left, and makes new ones, which it shows once. */
export function RecoveryCodes({ left }: { left: number }) {
  const t = useTranslations('passkeys');
  return (
    <Stack gap="xs" align="flex-start">
      <Text className="fine-print">{t('codesLeft', { count: left })}</Text>
      <ConfirmedAction
        action={makeRecoveryCodesAction}
        input={null}
        isDestructive={false}
        title={(codes) => t(codes ? 'codesTitle' : 'makeCodes')}
        submit={t('makeCodes')}
        text={t('codesText')}
        result={(codes) => (
          <>
            <Text>{t('codesOnce')}</Text>
            <CopyField label={t('codesTitle')} value={codes.join('\n')} copyLabel={t('copyCodes')} />
            <Button
              component="a"
              variant="default"
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(codes.join('\n'))}`}
              download={`${t('codesFile')}.txt`}
            >
              {t('downloadCodes')}
            </Button>
          </>
        )}
      />
    </Stack>
  );
}
