'use client';

import { NativeSelect, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { changeIdleLimitsAction } from '#app/owner/settings/actions.ts';
import { SavedForm } from '#app/owner/settings/company-forms.tsx';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';
import type { IdleLimits } from '#server/accounts/sessions/idle.ts';

type Props = { limits: IdleLimits; choices: { managers: number[]; employees: number[] } };

/** The form for when sessions without activity end. */
export function IdleForm({ limits, choices }: Props) {
  const t = useTranslations('sessions.idle');
  const [saved, setSaved] = useState(false);
  const { run, pending, problems, dialog } = useReauthenticatedAction(changeIdleLimitsAction, () => setSaved(true));
  const submit = ({ managers = '', employees = '' }: Record<string, string>) => {
    setSaved(false);
    void run({ managers, employees });
  };
  const of = (minutes: number[]) => [
    { value: '', label: t('never') },
    ...minutes.map((each) => ({ value: String(each), label: t('after', { minutes: each }) })),
  ];
  return (
    <>
      <SavedForm problems={problems} onSubmit={submit} pending={pending} saved={saved && t('saved')}>
        <NativeSelect
          name="managers"
          label={t('managers')}
          description={t('managersHint')}
          defaultValue={limits.managersIdleMinutes ?? ''}
          data={of(choices.managers)}
        />
        <NativeSelect
          name="employees"
          label={t('employees')}
          description={t('employeesHint')}
          defaultValue={limits.employeesIdleMinutes ?? ''}
          data={of(choices.employees)}
        />
        <Text className="fine-print">{t('devices')}</Text>
      </SavedForm>
      {dialog}
    </>
  );
}
