'use client';

import { Alert, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { Send, Undo2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { findHeldSendAction, sendDraftAction, undoHeldSendAction } from '#app/owner/sends/actions.ts';
import { DraftForm, useDraft, useDraftSentences } from '#app/owner/sends/new/draft-form.tsx';
import { asDraftInput, type FormDraft } from '#app/owner/sends/new/form-draft.ts';
import { countReached } from '#app/owner/sends/new/recipient-fields.tsx';
import { SaveAsTemplate } from '#app/owner/sends/new/save-as-template.tsx';
import type { FormChoices } from '#app/owner/sends/new/stored-draft.ts';
import { type Planning, usePlanning } from '#app/owner/sends/when/when-fields.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import type { WaitingSend } from '#server/sends/planned/planned-sends.ts';

type Props = { draft: FormDraft; choices: FormChoices; planning: Planning };

/** The form for a notification by hand, with a preview. Opens the page of the send. */
export function ComposeForm({ draft: given, choices, planning }: Props) {
  const t = useTranslations('compose');
  const router = useRouter();
  const { draft, change, idOf, renew } = useDraft(given);
  const [waiting, setWaiting] = useState<Waiting>();
  const [isUndone, setIsUndone] = useState(false);
  const sentences = { ...useDraftSentences(), undone: t('undone') };
  const follow = (sent: { no: number } | { leavesInMs: number }) => {
    if ('no' in sent) router.push(`/owner/sends/${sent.no}?sent`);
    else setWaiting({ draftId: idOf(draft), leavesInMs: sent.leavesInMs });
  };
  const sending = useAction(sendDraftAction, follow, sentences);
  const plan = usePlanning(planning, sentences);
  const pending = sending.pending || plan.pending;
  const problems = { ...sending.problems, ...plan.problems };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (pending) return;
    setIsUndone(false);
    const input = asDraftInput(draft, idOf(draft));
    if (!plan.submit(input)) void sending.run(input);
  };
  const submitByKeys = (event: KeyboardEvent) => {
    // The keys of a dialog reach this form too, as far as React's events go.
    const isInForm = event.currentTarget.contains(event.target as Node);
    if (isInForm && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
  };
  const reached = countReached(draft, choices.active, choices.roles);
  const undo = () => {
    renew();
    setWaiting(undefined);
    setIsUndone(true);
  };
  if (waiting) return <HeldSendPanel waiting={waiting} people={reached.active} title={draft.title} onUndone={undo} />;
  return (
    <DraftForm
      draft={draft}
      problems={problems}
      choices={choices}
      head={isUndone && <Alert role="status">{t('held.undone')}</Alert>}
      onChange={change}
      onSubmit={submit}
      onKeyDown={submitByKeys}
    >
      {plan.fields}
      <Group>
        <Button type="submit" loading={pending} leftSection={plan.label ? undefined : <Send aria-hidden size={18} />}>
          {plan.label ??
            (draft.to !== 'one' && reached.active > 0 ? t('submitEveryone', { people: reached.active }) : t('submit'))}
        </Button>
        {!planning.changes && <SaveAsTemplate draft={draft} draftId={() => idOf(draft)} />}
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {t('submitHint')}
        </Text>
      </Group>
    </DraftForm>
  );
}

const tickMs = 250;
const askAgainMs = 1000;

type Waiting = { draftId: string; leavesInMs: number };

type HeldProps = { waiting: Waiting; people: number; title: string; onUndone: () => void };

/**
 * The countdown of a send to everyone, with the button that undoes it. When it has left, the page of
 * the send opens. The service sends it whether or not this page stays open.
 */
function HeldSendPanel({ waiting: { draftId, leavesInMs }, people, title, onUndone }: HeldProps) {
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
