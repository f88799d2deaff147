'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { remindToOpenAction } from '#app/owner/employees/actions.ts';
import { MessagesToSend } from '#app/owner/employees/messages-to-send.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

type Reminder = { employeeId: number; name: string; username: string | null; link: string };

/** Prepares reminders for people who never opened the portal, and shows them once. */
export function RemindDialog({
  people,
  company,
  onClose,
}: {
  people: EmployeeSummary[];
  company: string;
  onClose: () => void;
}) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const [reminders, setReminders] = useState<Reminder[]>();
  const { run, pending, problems, dialog } = useProvedAction(remindToOpenAction, setReminders);
  const ending = people.filter(({ invitedUntil, username }) => username === null && invitedUntil !== null).length;
  const messageOf = ({ name, username, link }: Reminder) =>
    username === null
      ? t('remindMessage', { name, company, link })
      : t('remindAccountMessage', { name, company, link, username });
  return (
    <>
      <Dialog
        onClose={onClose}
        title={t('remindTitle', { count: reminders?.length ?? people.length })}
        size="lg"
        closeOnClickOutside={reminders === undefined}
      >
        <Stack>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <Text>{t(reminders ? (reminders.length > 0 ? 'remindOnce' : 'remindNobody') : 'remindText')}</Text>
          {!reminders && ending > 0 && <Alert color="yellow">{t('bulkInviteEnding', { count: ending })}</Alert>}
          {reminders && reminders.length > 0 && (
            <MessagesToSend
              messages={reminders.map((one) => ({
                employeeId: one.employeeId,
                name: one.name,
                shown: one.username ?? one.link,
                copied: messageOf(one),
                message: messageOf(one),
              }))}
              shareLabel={(name) => t('remindShare', { name })}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {form(reminders ? 'close' : 'cancel')}
            </Button>
            {!reminders && (
              <Button loading={pending} onClick={() => void run(people.map(({ id }) => id))}>
                {t('remindMake', { count: people.length })}
              </Button>
            )}
          </Group>
        </Stack>
      </Dialog>
      {dialog}
    </>
  );
}
