import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { PasswordField } from '#app/ui/forms/account-fields.tsx';
import { Form, FormButtons } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { reauthenticateAction } from '#app/ui/sessions/settings-actions.ts';

type Props = { onClose: () => void; onReauthenticated: () => void };

export function ReauthenticateDialog({ onClose, onReauthenticated }: Props) {
  const t = useTranslations('prove');
  const settings = useTranslations('settings');
  const { run, pending, problems } = useAction(reauthenticateAction, onReauthenticated, { wrong: settings('wrong') });
  return (
    <Dialog onClose={onClose} title={t('title')} zIndex={300}>
      <Form problems={problems} onSubmit={({ password = '' }) => void run({ password })} method="post">
        <Text>{t('text')}</Text>
        <PasswordField name="password" label={settings('current')} />
        <FormButtons submit={t('submit')} pending={pending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
