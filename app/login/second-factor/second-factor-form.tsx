'use client';

import { Box, Button, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { acceptRecoveryCodeAction } from '#app/login/actions.ts';
import { Form, TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { AddPasskey } from '#app/ui/sessions/account-buttons.tsx';
import { PasskeyButton } from '#app/ui/sessions/passkey-button.tsx';
import { Reauthentication } from '#app/ui/sessions/reauthentication.tsx';

type Props = { returnTo: string; hasPasskey: boolean; hasCodes: boolean; proposedName: string };

/** Asks for a passkey or a recovery code. Who has neither is led to make a passkey. */
export function SecondFactor({ returnTo, hasPasskey, hasCodes, proposedName }: Props) {
  const t = useTranslations('passkeys');
  const router = useRouter();
  const goOn = () => {
    router.push(returnTo);
    router.refresh();
  };
  const { run, pending, problems } = useAction(acceptRecoveryCodeAction, goOn, { wrong: t('wrongCode') });
  if (!hasPasskey && !hasCodes)
    return (
      <Reauthentication>
        <AddPasskey proposedName={proposedName} onAdded={goOn} />
      </Reauthentication>
    );
  const codeForm = (
    <Form problems={problems} onSubmit={({ code = '' }) => void run({ code })} method="post">
      <Text size="sm">{t('codeText')}</Text>
      <TextField name="code" label={t('code')} autoCapitalize="none" spellCheck={false} />
      <Button type="submit" variant={hasPasskey ? 'default' : 'filled'} loading={pending}>
        {t('useCode')}
      </Button>
    </Form>
  );
  if (!hasPasskey) return codeForm;
  return (
    <>
      <PasskeyButton onProved={goOn} />
      <Box component="details" mt="md" fz="var(--type-14)">
        <summary>{t('noPasskey')}</summary>
        {codeForm}
      </Box>
    </>
  );
}
