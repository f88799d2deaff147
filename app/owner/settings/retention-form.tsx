'use client';

import { Alert, Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { changeRetentionAction } from '#app/owner/settings/actions.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';
import type { Retention } from '#server/companies/retention.ts';

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
