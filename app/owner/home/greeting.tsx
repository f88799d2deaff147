'use client';

import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useGreeting } from '#app/owner/home/use-greeting.ts';
import type { FirstPerson } from '#server/companies/overview.ts';

/** The button that sends the first person a greeting, and what became of it. */
export function Greeting({ first, hasSend }: { first: FirstPerson; hasSend: boolean }) {
  const t = useTranslations('firstSteps');
  const { greet, pending, problem, isSent } = useGreeting(first);
  const name = first.name;
  return (
    <Stack gap="xs" align="flex-start">
      {problem && <Alert color="red">{problem}</Alert>}
      {(hasSend || isSent) && <Waiting text={t('greeting.sent', { name })} />}
      <Button
        size="md"
        variant={isSent ? 'default' : 'filled'}
        leftSection={<Send aria-hidden size={18} />}
        loading={pending}
        onClick={greet}
      >
        {first.isMe ? t('greeting.doMe') : t('greeting.do', { name })}
      </Button>
    </Stack>
  );
}

/** Something the page waits for by itself. */
export function Waiting({ text }: { text: string }) {
  return (
    <Group gap="xs" role="status" wrap="nowrap">
      <Loader size="sm" aria-hidden />
      <Text size="sm">
        <bdi>{text}</bdi>
      </Text>
    </Group>
  );
}
