'use client';

import '#app/ui/forms/controls.css';
import { Checkbox, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { acceptInvitationAction } from '#app/invite/[token]/actions.ts';
import { signedInAddress } from '#app/login/signed-in-address.ts';
import { unlockSound } from '#app/portal/live/sound/sound.ts';
import { NewUsernameField, PublicForm } from '#app/ui/forms/account-fields.tsx';
import { PasswordField } from '#app/ui/forms/password-field.tsx';

type Props = { token: string; username: string | null; asksPrivacy: boolean };

/** Asks for a password, or a username too; with `asksPrivacy` what is hidden. Its click unlocks the sound. */
export function InviteForm({ token, username, asksPrivacy }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const accept = ({ hidden, ...fields }: Record<string, string>) => {
    unlockSound();
    return acceptInvitationAction({ token, ...fields, ...(asksPrivacy && { hidePrivate: hidden ? 'yes' : 'no' }) });
  };
  return (
    <PublicForm
      action={accept}
      sentences={{
        invalidInvitation: t('invite.invalidText'),
        duplicateUsername: t('setup.duplicateUsername'),
        providerOnly: t('invite.providerOnly'),
      }}
      submit={username === null ? t('invite.submit') : t('invite.submitAgain')}
      onDone={({ area }) => router.push(signedInAddress(area))}
    >
      {username === null ? <NewUsernameField /> : <input type="hidden" name="username" value={username} />}
      <PasswordField name="password" label={t('setup.password')} isNew />
      {asksPrivacy && (
        <Checkbox
          name="hidden"
          value="yes"
          className="tall"
          defaultChecked
          label={
            <>
              {t('invite.hidePrivate')}
              <Text component="span" display="block" size="sm" c="dimmed">
                {t('invite.hidePrivateHint')}
              </Text>
            </>
          }
        />
      )}
    </PublicForm>
  );
}
