'use client';

import { Alert, Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { setupAction } from '#app/setup/actions.ts';
import { NeedsScripts, NewUsernameField, PasswordField } from '#app/ui/forms/account-fields.tsx';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';
import { useZoneOptions } from '#app/ui/forms/zone-options.ts';

/**
 * The form for a company and its owner's account. The printed address may carry the code after its
 * `#`, which browsers never send; then nobody types it. The time zone is the browser's.
 */
export function SetupForm({ askCode, zones }: { askCode: boolean; zones: string[] }) {
  const t = useTranslations('setup');
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const isReady = useMounted();
  const code = useCodeOfAddress(askCode);
  const zone = useZoneOfBrowser(zones);
  const zoneOptions = useZoneOptions(zones);
  const sentences = { codeWrong: t('codeWrong'), duplicateUsername: t('duplicateUsername'), done: t('done') };
  const { run, pending, problems } = useAction(setupAction, () => router.push('/owner'), sentences);
  // In a layout effect, before the form is painted, so that early keystrokes go to the right field.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('input:not([type=hidden])')?.focus();
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run({ ...(code !== undefined && { code }), ...readForm(event.currentTarget) });
  };
  return (
    <form ref={form} onSubmit={submit} method="post" noValidate>
      <Stack>
        <NeedsScripts />
        {problems.form && (
          <Alert color="red" role="alert">
            {problems.form}
          </Alert>
        )}
        {askCode && (code === undefined || problems.code) && (
          <TextInput
            name="code"
            label={t('code')}
            description={t('codeHint')}
            error={problems.code}
            autoComplete="off"
            required
          />
        )}
        <TextInput
          name="companyName"
          label={t('companyName')}
          error={problems.companyName}
          autoComplete="organization"
          required
        />
        <TextInput name="ownerName" label={t('ownerName')} error={problems.ownerName} autoComplete="name" required />
        <NewUsernameField error={problems.username} />
        <PasswordField name="password" label={t('password')} error={problems.password} isNew />
        <NativeSelect
          key={zone}
          name="timeZone"
          label={t('timeZone')}
          error={problems.timeZone}
          defaultValue={zone}
          data={zoneOptions}
        />
        <Button type="submit" size="md" disabled={!isReady} loading={pending}>
          {t('submit')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('leadNext')}
        </Text>
      </Stack>
    </form>
  );
}

// Undefined until the page is mounted, and when the address has none.
function useCodeOfAddress(askCode: boolean): string | undefined {
  const [code, setCode] = useState<string>();
  useEffect(() => {
    const found = location.hash.slice(1);
    if (askCode && found !== '') setCode(found);
  }, [askCode]);
  return code;
}

const usualZone = 'Asia/Jakarta';

function useZoneOfBrowser(zones: string[]): string {
  const [zone, setZone] = useState(usualZone);
  useEffect(() => {
    const found = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (zones.includes(found)) setZone(found);
  }, [zones]);
  return zone;
}
