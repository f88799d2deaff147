'use client';

import { Alert, Button } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { renewDevice } from '#app/portal/device/device.ts';
import { useOptionalPortal } from '#app/portal/live/store/portal-context.tsx';
import { PasswordField } from '#app/ui/forms/account-fields.tsx';
import { Form } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { Section } from '#app/ui/frame/page-head.tsx';
import { changePasswordAction } from '#app/ui/sessions/session-actions.ts';

/** The password form. The new session takes over an employee's push subscription of this device. */
export function AccountPassword({ username }: { username: string }) {
  const t = useTranslations('settings');
  const portal = useOptionalPortal();
  const form = useRef<HTMLFormElement>(null);
  const isReady = useMounted();
  const [changed, setChanged] = useState(false);
  const done = () => {
    setChanged(true);
    form.current?.reset();
    if (portal) renewDevice(portal.initial.person, true).catch(() => {});
  };
  const { run, pending, problems } = useAction(changePasswordAction, done, { wrong: t('wrong') });
  const submit = ({ current = '', next = '' }: Record<string, string>) => {
    setChanged(false);
    void run({ current, next });
  };
  return (
    <Section id="password" title={t('password')}>
      <Form ref={form} problems={problems} onSubmit={submit} method="post">
        <div role="status">{changed && <Alert color="green">{t('changed')}</Alert>}</div>
        <input type="text" name="username" autoComplete="username" defaultValue={username} hidden readOnly />
        <PasswordField name="current" label={t('current')} />
        <PasswordField name="next" label={t('next')} isNew />
        <Button type="submit" disabled={!isReady} loading={pending}>
          {t('submit')}
        </Button>
      </Form>
    </Section>
  );
}
