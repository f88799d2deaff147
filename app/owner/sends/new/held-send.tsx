'use client';

import { Alert, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { Undo2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { findHeldSendAction, undoHeldSendAction } from '#app/owner/sends/new/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import type { WaitingSend } from '#server/sends/planned/planned-sends.ts';

const tickMs = 250;
const askAgainMs = 1000;

/** A send that was submitted and waits: its draft, and when it leaves, in milliseconds. */
export type Waiting = { draftId: string; leavesInMs: number };

/**
 * The countdown of a send to everyone, with the button that undoes it. When it has left, the page of
 * the send opens. The service sends it whether or not this page stays open.
 */
export function HeldSendPanel({
  waiting: { draftId, leavesInMs },
  people,
  title,
  onUndone,
}: {
  waiting: Waiting;
  people: number;
  title: string;
  onUndone: () => void;
}) {
  const t = useTranslations('compose.held');
  const router = useRouter();
  const button = useRef<HTMLButtonElement>(null);
  const [leftMs, setLeftMs] = useState(leavesInMs);
  const follow = (found: WaitingSend) => {
    if (found.state === 'undone') onUndone();
    else if (found.state === 'sent') router.push(`/owner/sends/${found.no}?sent`);
    else if (found.state === 'held') setLeftMs(found.leavesInMs);
    else router.push('/owner/sends/planned');
  };
  const { run, pending, problems } = useAction(undoHeldSendAction, follow, { gone: t('gone') });
  const isDue = leftMs <= 0;
  useEffect(() => button.current?.focus(), []);
  useEffect(() => {
    const endsAt = performance.now() + leavesInMs;
    const timer = setInterval(() => setLeftMs(Math.max(0, endsAt - performance.now())), tickMs);
    return () => clearInterval(timer);
  }, [leavesInMs]);
  // A lost answer is asked for again; the send does not depend on it.
  const followed = useRef(follow);
  followed.current = follow;
  useEffect(() => {
    if (!isDue) return;
    const ask = async () => {
      const answer = await findHeldSendAction({ draftId }).catch(() => null);
      if (answer && 'value' in answer && answer.value.state !== 'held') followed.current(answer.value);
    };
    void ask();
    const timer = setInterval(ask, askAgainMs);
    return () => clearInterval(timer);
  }, [isDue, draftId]);
  const seconds = Math.ceil(leftMs / 1000);
  return (
    <Paper withBorder p="lg" data-held={isDue ? 'leaving' : 'waiting'}>
      <Stack>
        <div>
          <Text fw={600} role="status">
            {t('title', { people })}
          </Text>
          <Text component="bdi" display="block" c="dimmed" className="wrapping">
            “{title}”
          </Text>
        </div>
        <Progress value={(leftMs / leavesInMs) * 100} aria-hidden transitionDuration={tickMs} />
        <Text aria-live="off">{isDue ? t('leaving') : t('leaves', { seconds })}</Text>
        {problems.form && <Alert color="red">{problems.form}</Alert>}
        <Group justify="space-between">
          <Text size="sm" c="dimmed" flex="1 1 200px">
            {t('hint')}
          </Text>
          <Button
            ref={button}
            size="md"
            variant="default"
            leftSection={<Undo2 aria-hidden size={18} />}
            loading={pending}
            onClick={() => void run({ draftId })}
          >
            {t('undo')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
