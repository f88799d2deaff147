'use client';

import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { sendDraftAction } from '#app/owner/sends/new/actions.ts';
import { ContentFields, fieldProblems, MustConfirmField } from '#app/owner/sends/new/content-fields.tsx';
import { HeldSendPanel, type Waiting } from '#app/owner/sends/new/held-send.tsx';
import { Preview } from '#app/owner/sends/new/preview.tsx';
import { countReached, RecipientFields } from '#app/owner/sends/new/recipient-fields.tsx';
import { SaveAsTemplate } from '#app/owner/sends/new/save-as-template.tsx';
import { asDraftInput, type FormDraft, useDraft } from '#app/owner/sends/new/use-draft.ts';
import { type Planning, usePlanning } from '#app/owner/sends/when/use-planning.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { PossibleRecipient, RoleCount } from '#server/sends/possible-recipients.ts';

const problemNames = [...fieldProblems, 'undone'] as const;

type Props = {
  recipient: PossibleRecipient | null;
  active: number;
  roles: RoleCount[];
  mustConfirmKinds: Kind[];
  sender: string;
  planning: Planning;
  draft?: FormDraft;
};

/** The form for a notification by hand, with a preview. Opens the page of the send. */
export function ComposeForm({ recipient, active, roles, mustConfirmKinds, sender, planning, draft: given }: Props) {
  const t = useTranslations('compose');
  const router = useRouter();
  const { draft, change, idOf, renew } = useDraft(recipient, given);
  const [waiting, setWaiting] = useState<Waiting>();
  const [isUndone, setIsUndone] = useState(false);
  const sentences = Object.fromEntries(problemNames.map((name) => [name, t(name)]));
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
  const reached = countReached(draft, active, roles);
  const undo = () => {
    renew();
    setWaiting(undefined);
    setIsUndone(true);
  };
  if (waiting) return <HeldSendPanel waiting={waiting} people={reached.active} title={draft.title} onUndone={undo} />;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <form onSubmit={submit} onKeyDown={submitByKeys} noValidate>
        <Stack>
          {problems.form && (
            <Alert color="red" role="alert">
              {problems.form}
            </Alert>
          )}
          {isUndone && <Alert role="status">{t('held.undone')}</Alert>}
          <RecipientFields
            draft={draft}
            active={active}
            roles={roles}
            problem={problems.recipientId}
            onChange={change}
          />
          <ContentFields draft={draft} problems={problems} onChange={change} />
          <MustConfirmField draft={draft} byKind={mustConfirmKinds.includes(draft.kind)} onChange={change} />
          {plan.fields}
          <Group>
            <Button
              type="submit"
              loading={pending}
              leftSection={plan.label ? undefined : <Send aria-hidden size={18} />}
            >
              {plan.label ??
                (draft.to !== 'one' && reached.active > 0
                  ? t('submitEveryone', { people: reached.active })
                  : t('submit'))}
            </Button>
            {!planning.changes && <SaveAsTemplate draft={draft} draftId={() => idOf(draft)} />}
            <Text size="sm" c="dimmed" visibleFrom="sm">
              {t('submitHint')}
            </Text>
          </Group>
        </Stack>
      </form>
      <Preview draft={draft} sender={sender} mustConfirm={draft.mustConfirm || mustConfirmKinds.includes(draft.kind)} />
    </SimpleGrid>
  );
}
