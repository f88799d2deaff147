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
  const [outcome, setOutcome] = useState<{ reach: number } | { retryAt: string } | null>(null);
  const sentences = { gone: t('gone'), nobodyLeft: t('nobodyLeft') };
  const { run, pending, problems } = useAction(sendReminderAction, setOutcome, sentences);
  const asTime = (moment: string) =>
    format.dateTime(new Date(moment), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
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
