'use client';

import { Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { signedInAddress } from '#app/login/signed-in-address.ts';
import { setupAction } from '#app/setup/actions.ts';
import { NewUsernameField, PublicForm } from '#app/ui/forms/account-fields.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { PasswordField } from '#app/ui/forms/password-field.tsx';
import { ZoneField } from '#app/ui/forms/zone-field.tsx';

/** The form for a company and its owner. Its address may have the code after the `#`; then nobody types it. */
export function SetupForm({ askCode, zones }: { askCode: boolean; zones: string[] }) {
  const t = useTranslations('setup');
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [code, setCode] = useState<string>();
  const [zone, setZone] = useState('Asia/Jakarta');
  const setUp = async (fields: Record<string, string>) => {
    const result = await setupAction({ ...(code !== undefined && { code }), ...fields });
    if ('problems' in result && result.problems.code) setCode(undefined);
    return result;
  };
  useEffect(() => {
    const codeInLink = location.hash.slice(1);
    if (askCode && codeInLink !== '') setCode(codeInLink);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (zones.includes(timeZone)) setZone(timeZone);
  }, [askCode, zones]);
  // In a layout effect, before the form is painted, so that early keystrokes go to the right field.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('input:not([type=hidden])')?.focus();
  }, []);
  return (
    <>
      <PublicForm
        ref={form}
        action={setUp}
        sentences={{ codeWrong: t('codeWrong'), duplicateUsername: t('duplicateUsername'), done: t('done') }}
        submit={t('submit')}
        onDone={() => router.push(signedInAddress('/owner'))}
      >
        {askCode && code === undefined && <TextField name="code" label={t('code')} description={t('codeHint')} />}
        <TextField name="companyName" label={t('companyName')} autoComplete="organization" />
        <TextField name="ownerName" label={t('ownerName')} autoComplete="name" />
        <NewUsernameField />
        <PasswordField name="password" label={t('password')} isNew />
        <ZoneField key={zone} name="timeZone" defaultValue={zone} zones={zones} />
      </PublicForm>
      <Text className="fine-print" mt="md">
        {t('leadNext')}
      </Text>
    </>
  );
}
