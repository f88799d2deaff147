'use client';

import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { renewDevice } from '#app/portal/device/device.ts';
import { useOptionalPortal } from '#app/portal/live/store/portal-context.tsx';
import { PasswordField } from '#app/ui/forms/password-field.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import { changePasswordAction } from '#app/ui/sessions/session-actions.ts';

/** The password form. The new session takes over an employee's push subscription of this device. */
export function AccountPassword({ username }: { username: string }) {
  const t = useTranslations('settings');
  const portal = useOptionalPortal();
  const form = useRef<HTMLFormElement>(null);
  const follow = () => {
    form.current?.reset();
    if (portal) renewDevice(portal.initial, true).catch(() => {});
  };
  return (
    <Section id="password" title={t('password')}>
      <SavedForm
        ref={form}
        action={changePasswordAction}
        sentences={{ wrong: t('wrong') }}
        saved={t('changed')}
        submit={t('submit')}
        onSaved={follow}
      >
        <input type="text" name="username" autoComplete="username" defaultValue={username} hidden readOnly />
        <PasswordField name="current" label={t('current')} />
        <PasswordField name="next" label={t('next')} isNew />
      </SavedForm>
    </Section>
  );
}
