'use client';

import { Button, Stack, Text } from '@mantine/core';
import { BellRing, BookmarkPlus, PencilLine, Repeat2, Undo2 } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Correctable } from '#app/owner/sends/[no]/correct-dialog.tsx';
import { sendReminderAction, withdrawSendAction } from '#app/owner/sends/actions.ts';
import { useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ActionButtons, ActionMenu } from '#app/ui/lists/action-menu.tsx';
import { ConfirmedAction } from '#app/ui/sessions/confirmed-action.tsx';

export function WithdrawButton({ no, title }: { no: number; title: string }) {
  const t = useTranslations('sends');
  return (
    <ConfirmedAction
      button={(ask) => (
        <Button variant="light" color="red" leftSection={<Undo2 aria-hidden size={18} />} onClick={ask}>
          {t('withdraw')}
        </Button>
      )}
      action={withdrawSendAction}
      input={{ no }}
      sentences={{ gone: t('withdrawGone') }}
      title={t('withdrawTitle', { title })}
      submit={t('withdraw')}
      isDestructive
    >
      <Text>{t('withdrawText')}</Text>
    </ConfirmedAction>
  );
}

const CorrectDialog = whenNeeded(() => import('#app/owner/sends/[no]/correct-dialog.tsx'), 'CorrectDialog');

export function CorrectButton(send: Correctable) {
  const t = useTranslations('sends');
  const [opened, open, close] = useOpenDialog<true>();
  return (
    <>
      <Button variant="default" leftSection={<PencilLine aria-hidden size={18} />} onClick={() => open(true)}>
        {t('correct')}
      </Button>
      {opened && <CorrectDialog send={send} onClose={close} />}
    </>
  );
}

/**
 * The button that reminds all recipients who have not confirmed a send, or one of them. Shows how
 * many were reminded, or why none.
 */
export function RemindButton({ no, person }: { no: number; person?: { id: number; name: string } }) {
  const t = useTranslations('mustRead');
  const format = useFormatter();
  const [outcome, setOutcome] = useState<{ reach: number } | { retryAt: string } | null>(null);
  const sentences = { gone: t('gone'), nobodyLeft: t('nobodyLeft') };
  const { run, pending, problems } = useAction(sendReminderAction, setOutcome, sentences);
  const asTime = (timestamp: string) =>
    format.dateTime(new Date(timestamp), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const tooSoon = outcome && 'retryAt' in outcome ? t('tooSoon', { time: asTime(outcome.retryAt) }) : undefined;
  const problem = problems.form ?? tooSoon;
  const message = problem ?? (outcome && 'reach' in outcome ? t('reminded', { count: outcome.reach }) : null);
  return (
    <Stack gap={4} maw={320}>
      <Button
        variant={person ? 'default' : 'filled'}
        loading={pending}
        leftSection={person ? undefined : <BellRing aria-hidden size={18} />}
        aria-label={person ? t('remindNamed', { name: person.name }) : undefined}
        onClick={() => void run({ no, employeeId: person?.id ?? null })}
      >
        {person ? t('remindOne') : t('remindAll')}
      </Button>
      <Text size="sm" role="status" c={problem ? 'var(--mantine-color-error)' : undefined} hidden={message === null}>
        {message}
      </Text>
    </Stack>
  );
}

/**
 * What makes something new of a send: send it again, make a template. They are a menu beside other
 * buttons, and buttons if there are no others (`alone`).
 */
export function SendAgain({ no, alone }: { no: number; alone: boolean }) {
  const t = useTranslations('sends');
  const entries = [
    { href: `/owner/sends/new?again=${no}`, text: t('sendAgain'), icon: Repeat2 },
    { href: `/owner/sends/templates/new?of=${no}`, text: t('asTemplate'), icon: BookmarkPlus },
  ];
  return alone ? <ActionButtons entries={entries} /> : <ActionMenu label={t('more')} outlined entries={entries} />;
}
