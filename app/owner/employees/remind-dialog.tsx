'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { remindToOpenAction } from '#app/owner/employees/actions.ts';
import { MessagesDialog } from '#app/owner/employees/messages-dialog.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

type Reminder = { employeeId: number; name: string; username: string | null; link: string };

/** Prepares reminders for people who never opened the portal, and shows them once. */
export function RemindDialog({
  people,
  company,
  onCancel,
  onDone,
}: {
  people: EmployeeSummary[];
  company: string;
  onCancel: () => void;
  onDone: () => void;
}) {
  const t = useTranslations('employees');
  const [reminders, setReminders] = useState<Reminder[]>();
  const { run, pending, problems, dialog } = useProvedAction(remindToOpenAction, setReminders);
  const ending = people.filter(({ invitedUntil, username }) => username === null && invitedUntil !== null).length;
  const messageOf = ({ name, username, link }: Reminder) =>
    username === null
      ? t('remindMessage', { name, company, link })
      : t('remindAccountMessage', { name, company, link, username });
  const messages = reminders?.map((one) => ({
    employeeId: one.employeeId,
    name: one.name,
    shown: one.username ?? one.link,
    copied: messageOf(one),
    message: messageOf(one),
  }));
  return (
    <>
      <MessagesDialog
        title={t('remindTitle', { count: reminders?.length ?? people.length })}
        text={t(reminders ? (reminders.length > 0 ? 'remindOnce' : 'remindNobody') : 'remindText')}
        notice={ending > 0 && t('bulkInviteEnding', { count: ending })}
        problem={problems.form}
        make={{
          text: t('remindMake', { count: people.length }),
          pending,
          run: () => void run(people.map(({ id }) => id)),
        }}
        messages={messages}
        shareLabel={(name) => t('remindShare', { name })}
        onClose={messages ? onDone : onCancel}
      />
      {dialog}
    </>
  );
}
