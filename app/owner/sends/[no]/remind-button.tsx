'use client';

import { Button, Stack, Text } from '@mantine/core';
import { BellRing } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { sendReminderAction } from '#app/owner/sends/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

/**
 * The button that reminds all recipients who have not confirmed a send, or one of them. Shows how
 * many were reminded, or why none.
 */
export function RemindButton({ no, person }: { no: number; person?: { id: number; name: string } }) {
  const t = useTranslations('mustRead');
  const format = useFormatter();
  const [reach, setReach] = useState<number | null>(null);
  const sentences = { gone: t('gone'), nobodyLeft: t('nobodyLeft') };
  const { run, pending, problems } = useAction(sendReminderAction, (value) => setReach(value.reach), sentences);
  const retryAt = /^tooSoon:(.+)$/.exec(problems.form ?? '')?.[1];
  const time = retryAt && format.dateTime(new Date(retryAt), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const problem = time ? t('tooSoon', { time }) : problems.form;
  const message = problem ?? (reach === null ? null : t('reminded', { count: reach }));
  return (
    <Stack gap={4} maw={280}>
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
