import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { PasswordField } from '#app/ui/forms/account-fields.tsx';
import { Form, FormButtons } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { PasskeyButton } from '#app/ui/sessions/passkey-button.tsx';
import { type Provider, ProviderForms } from '#app/ui/sessions/provider-form.tsx';
import { listReauthenticationWaysAction, reauthenticateAction } from '#app/ui/sessions/session-actions.ts';

type Props = { onClose: () => void; onReauthenticated: () => void };

export function ReauthenticateDialog({ onClose, onReauthenticated }: Props) {
  const t = useTranslations('prove');
  const settings = useTranslations('settings');
  const login = useTranslations('login');
  const { run, pending, problems } = useAction(reauthenticateAction, onReauthenticated, {
    wrong: settings('wrong'),
    providerOnly: login('problem.provider-only'),
  });
  const { hasPassword, providers } = useWays();
  return (
    <Dialog onClose={onClose} title={t(hasPassword ? 'title' : 'titleProvider')} zIndex={300}>
      <Text>{t('text')}</Text>
      <PasskeyButton onProved={onReauthenticated} />
      {hasPassword && (
        <Form problems={problems} onSubmit={({ password = '' }) => void run({ password })} method="post">
          <PasswordField name="password" label={settings('current')} />
          <FormButtons submit={t('submit')} pending={pending} onCancel={onClose} />
        </Form>
      )}
      <ProviderForms
        providers={providers}
        purpose="reauthenticate"
        returnTo={location.pathname + location.search}
        textOf={(provider) => t('withProvider', { provider })}
      >
        <Text className="fine-print">{t('providerHint')}</Text>
      </ProviderForms>
    </Dialog>
  );
}

// The field for a password is there at once; most people have one.
function useWays() {
  const [ways, setWays] = useState<{ hasPassword: boolean; providers: Provider[] }>({
    hasPassword: true,
    providers: [],
  });
  useEffect(() => {
    listReauthenticationWaysAction(null).then(
      (result) => 'value' in result && setWays(result.value),
      () => {},
    );
  }, []);
  return ways;
}
