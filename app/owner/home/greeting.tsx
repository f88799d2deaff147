'use client';

import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { sendDraftAction } from '#app/owner/sends/new/actions.ts';
import { makeDraftId } from '#app/owner/sends/new/use-draft.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
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

/** Sends the first person a greeting. A press whose answer was lost is repeated, not sent twice. */
function useGreeting({ id, name }: FirstPerson) {
  const t = useTranslations('firstSteps.greeting');
  const [isSent, setIsSent] = useState(false);
  const draftId = useRef<string>(null);
  const { run, pending, problems } = useAction(
    sendDraftAction,
    () => {
      setIsSent(true);
      draftId.current = null;
    },
    { gone: t('gone') },
  );
  const greet = () => {
    draftId.current ??= makeDraftId();
    void run({
      draftId: draftId.current,
      to: 'one',
      recipientId: id,
      roles: [],
      people: [],
      kind: 'info',
      title: t('heading', { name: name.slice(0, 60) }),
      body: t('body'),
      url: '',
      mustConfirm: false,
    });
  };
  return { greet, pending, isSent, problem: problems.form ?? Object.values(problems)[0] };
}
