'use client';

import { Alert, Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { changeRetentionAction, editCompanyAction } from '#app/owner/settings/actions.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';
import { useZoneOptions } from '#app/ui/forms/zone-options.ts';
import type { Retention } from '#server/companies/retention.ts';

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

type RetentionChoice = { notifications: string; refusals: string };

/** The form for how long data is kept. Asks before it deletes notifications. */
export function RetentionForm({
  kept,
  choices,
}: {
  kept: Retention;
  choices: { notifications: number[]; refusals: number[] };
}) {
  const t = useTranslations('retention');
  const form = useTranslations('form');
  const router = useRouter();
  const [saved, setSaved] = useState(false);
  const [choice, setChoice] = useState<RetentionChoice>();
  const { run, pending, problems, clear } = useAction(changeRetentionAction, () => {
    setChoice(undefined);
    setSaved(true);
    router.refresh();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaved(false);
    const { notifications = '', refusals = '' } = readForm(event.currentTarget);
    setChoice({ notifications, refusals });
    void run({ notifications, refusals, agreed: false });
  };
  const name = (days: number) => ({ value: String(days), label: t('days', { days }) });
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Stack>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
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
          <Text size="sm" c="dimmed">
            {t('auditStays')}
          </Text>
          <Button type="submit" loading={pending} style={{ alignSelf: 'flex-start' }}>
            {form('save')}
          </Button>
          <div role="status">{saved && <Alert color="green">{t('saved')}</Alert>}</div>
        </Stack>
      </form>
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
