'use client';

import { NativeSelect, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { changeCompanyAction, changeRetentionAction, renameAccountAction } from '#app/owner/settings/actions.ts';
import { ConfirmDialog } from '#app/ui/forms/confirm-dialog.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { useZoneOptions } from '#app/ui/forms/zone-options.ts';
import { SavedForm, SelectField } from '#app/ui/sessions/saved-form.tsx';
import type { Retention } from '#server/companies/retention.ts';

type CompanyProps = { companyName: string; timeZone: string; zones: string[] };

export function CompanyForm({ companyName, timeZone, zones }: CompanyProps) {
  const t = useTranslations('settings');
  const setup = useTranslations('setup');
  const options = useZoneOptions(zones);
  return (
    <SavedForm
      action={({ companyName = '', timeZone = '' }) => changeCompanyAction({ companyName, timeZone })}
      saved={t('saved')}
    >
      <TextField
        name="companyName"
        label={setup('companyName')}
        defaultValue={companyName}
        autoComplete="organization"
      />
      <SelectField
        name="timeZone"
        label={setup('timeZone')}
        description={t('zoneHint')}
        defaultValue={timeZone}
        data={options}
      />
    </SavedForm>
  );
}

/** The form for the name of the signed-in owner or manager. */
export function AccountName({ name }: { name: string }) {
  const t = useTranslations('settings');
  return (
    <SavedForm action={({ name = '' }) => renameAccountAction({ name })} saved={t('saved')}>
      <TextField
        name="name"
        label={t('name')}
        description={t('ownerNameHint')}
        defaultValue={name}
        autoComplete="name"
      />
    </SavedForm>
  );
}

type RetentionProps = { kept: Retention; choices: { notifications: number[]; refusals: number[] } };

/** The form for how long data is kept. Asks before it deletes notifications. */
export function RetentionForm({ kept, choices }: RetentionProps) {
  const t = useTranslations('retention');
  const [asking, setAsking] = useState<{ count: number; days: number; answer: (agreed: boolean) => void }>();
  const save = async ({ notifications = '', refusals = '' }: Record<string, string>) => {
    const choice = { notifications, refusals };
    const result = await changeRetentionAction({ ...choice, agreed: false });
    if (!('problems' in result) || !result.problems.agree) return result;
    const count = Number(result.problems.agree);
    const agreed = await new Promise<boolean>((answer) => setAsking({ count, days: Number(notifications), answer }));
    setAsking(undefined);
    return agreed ? changeRetentionAction({ ...choice, agreed }) : { problems: {} };
  };
  const name = (days: number) => ({ value: String(days), label: t('days', { days }) });
  return (
    <>
      <SavedForm action={save} saved={t('saved')}>
        <NativeSelect
          name="notifications"
          label={t('notifications')}
          description={t('notificationsHint')}
          defaultValue={kept.keepNotificationsDays ?? ''}
          data={[{ value: '', label: t('forEver') }, ...choices.notifications.map(name)]}
        />
        <NativeSelect
          name="refusals"
          label={t('refusals')}
          defaultValue={kept.keepRefusalsDays}
          data={choices.refusals.map(name)}
        />
        <Text className="fine-print">{t('auditStays')}</Text>
      </SavedForm>
      {asking && (
        <ConfirmDialog
          title={t('agreeTitle')}
          submit={t('agree')}
          isDestructive
          pending={false}
          onClose={() => asking.answer(false)}
          onConfirm={() => asking.answer(true)}
        >
          <Text>{t('agreeText', { count: asking.count, days: asking.days })}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
