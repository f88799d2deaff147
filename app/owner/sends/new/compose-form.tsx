'use client';

import { Alert, Button, Group, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { sendDraftAction } from '#app/owner/sends/new/actions.ts';
import { DraftForm, fieldProblems } from '#app/owner/sends/new/draft-form.tsx';
import { HeldSendPanel, type Waiting } from '#app/owner/sends/new/held-send.tsx';
import { countReached } from '#app/owner/sends/new/recipient-fields.tsx';
import { SaveAsTemplate } from '#app/owner/sends/new/save-as-template.tsx';
import type { FormChoices } from '#app/owner/sends/new/stored-draft.ts';
import { asDraftInput, type FormDraft, useDraft } from '#app/owner/sends/new/use-draft.ts';
import { type Planning, usePlanning } from '#app/owner/sends/when/when-fields.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

const problemNames = [...fieldProblems, 'undone'] as const;

type Props = { draft: FormDraft; choices: FormChoices; planning: Planning };

/** The form for a notification by hand, with a preview. Opens the page of the send. */
export function ComposeForm({ draft: given, choices, planning }: Props) {
  const t = useTranslations('compose');
  const router = useRouter();
  const { draft, change, idOf, renew } = useDraft(given);
  const [waiting, setWaiting] = useState<Waiting>();
  const [isUndone, setIsUndone] = useState(false);
  const sentences = Object.fromEntries(problemNames.map((name) => [name, t(name, draftLimits)]));
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
