'use client';

import { Alert, Button, NativeSelect, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ComponentProps, useState } from 'react';
import { changeCompanyAction, changeRetentionAction, renameAccountAction } from '#app/owner/settings/actions.ts';
import { ConfirmDialog } from '#app/ui/forms/confirm-dialog.tsx';
import { Form, TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { useZoneOptions } from '#app/ui/forms/zone-options.ts';
import type { Retention } from '#server/companies/retention.ts';

type CompanyProps = { companyName: string; timeZone: string; zones: string[] };

export function CompanyForm({ companyName, timeZone, zones }: CompanyProps) {
  const t = useTranslations('settings');
  const setup = useTranslations('setup');
  const router = useRouter();
  const [saved, setSaved] = useState(false);
  const options = useZoneOptions(zones);
  const { run, pending, problems } = useAction(changeCompanyAction, () => {
    setSaved(true);
    router.refresh();
  });
  const submit = ({ companyName = '', timeZone = '' }: Record<string, string>) => {
    setSaved(false);
    void run({ companyName, timeZone });
  };
  return (
    <SavedForm problems={problems} onSubmit={submit} pending={pending} saved={saved && t('saved')}>
      <TextField
        name="companyName"
        label={setup('companyName')}
        defaultValue={companyName}
        autoComplete="organization"
      />
      <NativeSelect
        name="timeZone"
        label={setup('timeZone')}
        description={t('zoneHint')}
        defaultValue={timeZone}
        error={problems.timeZone}
        data={options}
      />
    </SavedForm>
  );
}

/** The form for the name of the signed-in owner or manager. */
export function AccountName({ name }: { name: string }) {
  const t = useTranslations('settings');
  const router = useRouter();
  const [saved, setSaved] = useState(false);
  const { run, pending, problems } = useAction(renameAccountAction, () => {
    setSaved(true);
    router.refresh();
  });
  const submit = ({ name = '' }: Record<string, string>) => {
    setSaved(false);
    void run({ name });
  };
  return (
    <SavedForm problems={problems} onSubmit={submit} pending={pending} saved={saved && t('saved')}>
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

type SavedProps = ComponentProps<typeof Form> & { pending: boolean; saved: string | false };

/** A form with a button to save. `saved` is what it says after that. */
export function SavedForm({ pending, saved, children, ...form }: SavedProps) {
  const t = useTranslations('form');
  return (
    <Form {...form}>
      {children}
      <Button type="submit" loading={pending} style={{ alignSelf: 'flex-start' }}>
        {t('save')}
      </Button>
      <div role="status">{saved && <Alert color="green">{saved}</Alert>}</div>
    </Form>
  );
}

type RetentionProps = { kept: Retention; choices: { notifications: number[]; refusals: number[] } };

/** The form for how long data is kept. Asks before it deletes notifications. */
export function RetentionForm({ kept, choices }: RetentionProps) {
  const t = useTranslations('retention');
  const router = useRouter();
  const [saved, setSaved] = useState(false);
  const [choice, setChoice] = useState<{ notifications: string; refusals: string }>();
  const { run, pending, problems, clear } = useAction(changeRetentionAction, () => {
    setChoice(undefined);
    setSaved(true);
    router.refresh();
  });
  const submit = ({ notifications = '', refusals = '' }: Record<string, string>) => {
    setSaved(false);
    setChoice({ notifications, refusals });
    void run({ notifications, refusals, agreed: false });
  };
  const name = (days: number) => ({ value: String(days), label: t('days', { days }) });
  return (
    <>
      <SavedForm problems={problems} onSubmit={submit} pending={pending} saved={saved && t('saved')}>
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
      {problems.agree && choice && (
        <ConfirmDialog
          title={t('agreeTitle')}
          submit={t('agree')}
          isDestructive
          pending={pending}
          onClose={clear}
          onConfirm={() => void run({ ...choice, agreed: true })}
        >
          <Text>{t('agreeText', { count: Number(problems.agree), days: Number(choice.notifications) })}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
