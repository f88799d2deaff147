'use client';

import { NativeSelect, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { changeIdleLimitsAction } from '#app/owner/settings/actions.ts';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import type { IdleLimits } from '#server/accounts/sessions/idle.ts';

type Props = { limits: IdleLimits; choices: { managers: number[]; employees: number[] } };

/** The form for when sessions without activity end. */
export function IdleForm({ limits, choices }: Props) {
  const t = useTranslations('sessions.idle');
  const of = (minutes: number[]) => [
    { value: '', label: t('never') },
    ...minutes.map((each) => ({ value: String(each), label: t('after', { minutes: each }) })),
  ];
  return (
    <SavedForm
      action={({ managers = '', employees = '' }) => changeIdleLimitsAction({ managers, employees })}
      saved={t('saved')}
    >
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
  );
}
