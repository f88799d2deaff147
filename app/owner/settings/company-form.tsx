'use client';

import { Alert, Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { editCompanyAction } from '#app/owner/settings/actions.ts';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';
import { useZoneOptions } from '#app/ui/forms/zone-options.ts';

/** The form for the names of the company and its owner, and for the time zone of all times. */
export function CompanyForm({
  companyName,
  timeZone,
  ownerName,
  zones,
}: {
  companyName: string;
  timeZone: string;
  ownerName: string;
  zones: string[];
}) {
  const t = useTranslations('settings');
  const setup = useTranslations('setup');
  const form = useTranslations('form');
  const router = useRouter();
  const [saved, setSaved] = useState(false);
  const options = useZoneOptions(zones);
  const { run, pending, problems } = useAction(editCompanyAction, () => {
    setSaved(true);
    router.refresh();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaved(false);
    const { companyName = '', timeZone = '', ownerName = '' } = readForm(event.currentTarget);
    void run({ companyName, timeZone, ownerName });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {problems.form && <Alert color="red">{problems.form}</Alert>}
        <TextInput
          name="companyName"
          label={setup('companyName')}
          defaultValue={companyName}
          error={problems.companyName}
          autoComplete="organization"
          required
        />
        <NativeSelect
          name="timeZone"
          label={setup('timeZone')}
          description={t('zoneHint')}
          defaultValue={timeZone}
          error={problems.timeZone}
          data={options}
        />
        <TextInput
          name="ownerName"
          label={setup('ownerName')}
          description={t('ownerNameHint')}
          defaultValue={ownerName}
          error={problems.ownerName}
          autoComplete="name"
          required
        />
        <Button type="submit" loading={pending} style={{ alignSelf: 'flex-start' }}>
          {form('save')}
        </Button>
        <div role="status">{saved && <Alert color="green">{t('saved')}</Alert>}</div>
      </Stack>
    </form>
  );
}
