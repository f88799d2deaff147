import { Alert, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { Form, FormButtons } from '#app/ui/forms/form.tsx';
import { PasswordField } from '#app/ui/forms/password-field.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { pageWithoutProof } from '#app/ui/lists/address.ts';
import { PasskeyButton } from '#app/ui/sessions/passkey-button.tsx';
import { type Provider, ProviderForms } from '#app/ui/sessions/provider-form.tsx';
import { listReauthenticationWaysAction, reauthenticateAction } from '#app/ui/sessions/session-actions.ts';

type Ways = { hasPassword: boolean; providers: Provider[] };
type Props = { problem?: string; onClose: () => void; onReauthenticated: () => void };

/** Asks the person to prove who they are. `problem` says why a try at a provider failed. */
export function ReauthenticateDialog({ problem, onClose, onReauthenticated }: Props) {
  const t = useTranslations();
  const { run, pending, problems } = useAction(reauthenticateAction, onReauthenticated, {
    wrong: t('settings.wrong'),
    providerOnly: t('login.problem.provider-only'),
  });
  // The field for a password is there at once; most people have one.
  const [{ hasPassword, providers }, setWays] = useState<Ways>({ hasPassword: true, providers: [] });
  useEffect(() => {
    listReauthenticationWaysAction(null).then(
      (result) => 'value' in result && setWays(result.value),
      () => {},
    );
  }, []);
  const key = `prove.problem.${problem}` as 'prove.problem.provider';
  return (
    <Dialog onClose={onClose} title={t(hasPassword ? 'prove.title' : 'prove.titleProvider')} zIndex={300}>
      {problem && <Alert color="red">{t(t.has(key) ? key : 'prove.problem.provider')}</Alert>}
      <Text>{t('prove.text')}</Text>
      <PasskeyButton onProved={onReauthenticated} />
      {hasPassword && (
        <Form problems={problems} onSubmit={({ password = '' }) => void run({ password })} method="post">
          <PasswordField name="password" label={t('settings.current')} />
          <FormButtons submit={t('prove.submit')} pending={pending} onCancel={onClose} />
        </Form>
      )}
      <ProviderForms
        providers={providers}
        purpose="reauthenticate"
        returnTo={pageWithoutProof()}
        textOf={(provider) => t('prove.withProvider', { provider })}
      >
        <Text className="fine-print">{t('prove.providerHint')}</Text>
      </ProviderForms>
    </Dialog>
  );
}
