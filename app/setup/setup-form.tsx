'use client';

import { Alert, Button, Fieldset, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { setupAction } from '#app/setup/actions.ts';
import { NewUsernameField, PasswordField } from '#app/ui/account-fields.tsx';
import { readForm, useAction } from '#app/ui/use-action.ts';
import { useZoneOptions } from '#app/ui/zone-options.ts';

/** Company, time zone and the owner's account in one form. */
export function SetupForm({ askCode, zones }: { askCode: boolean; zones: string[] }) {
  const t = useTranslations('setup');
  const router = useRouter();
  const zoneOptions = useZoneOptions(zones);
  const [zone, setZone] = useState('Asia/Jakarta');
  const { run, pending, problems } = useAction(setupAction, () => router.push('/owner'), {
    codeWrong: t('codeWrong'),
    duplicateUsername: t('duplicateUsername'),
    done: t('done'),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(readForm(event.currentTarget));
  };
  const seconds = /^wait:(\d+)$/.exec(problems.form ?? '')?.[1];
  const problem = seconds ? t('wait', { minutes: Math.ceil(Number(seconds) / 60) }) : problems.form;

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {askCode && (
          <TextInput
            name="code"
            label={t('code')}
            description={t('codeHint')}
            error={problems.code}
            autoComplete="off"
            required
          />
        )}
        <Fieldset legend={t('company')}>
          <Stack>
            <TextInput
              name="companyName"
              label={t('companyName')}
              error={problems.companyName}
              autoComplete="organization"
              required
            />
            <NativeSelect
              name="timeZone"
              label={t('timeZone')}
              error={problems.timeZone}
              value={zone}
              onChange={(event) => setZone(event.currentTarget.value)}
              data={zoneOptions}
            />
          </Stack>
        </Fieldset>
        <Fieldset legend={t('owner')}>
          <Stack>
            <TextInput
              name="ownerName"
              label={t('ownerName')}
              error={problems.ownerName}
              autoComplete="name"
              required
            />
            <NewUsernameField error={problems.username} />
            <PasswordField name="password" label={t('password')} error={problems.password} isNew />
          </Stack>
        </Fieldset>
        <Button type="submit" size="md" loading={pending} fullWidth>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}
