'use client';

import { Alert, Button, Group, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { saveTemplateAction, sendMessageAction } from '#app/owner/sends/actions.ts';
import { draftPrefix, useDeviceDraft } from '#app/owner/sends/new/device-draft.ts';
import { DraftForm, useDraft } from '#app/owner/sends/new/draft-form.tsx';
import { countReached } from '#app/owner/sends/new/folded-fields.tsx';
import { type FormDraft, useDraftSentences } from '#app/owner/sends/new/form-draft.ts';
import type { FormChoices } from '#app/owner/sends/new/stored-draft.ts';
import { type Planning, usePlanning } from '#app/owner/sends/when/when-fields.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ButtonLink } from '#app/ui/text/links.tsx';

/** `keptAs` names the draft on this device. `isUndone`: it is that of a send that was just undone. */
type ComposeProps = { draft: FormDraft; choices: FormChoices; planning: Planning; keptAs?: string; isUndone?: boolean };

/** The form for a notification by hand, with a preview. Opens the page of the send, or all sends. */
export function ComposeForm({ draft: initialDraft, choices, planning, keptAs = '', isUndone = false }: ComposeProps) {
  const t = useTranslations('compose');
  const router = useRouter();
  const { draft, restore, change, ...form } = useDraft(initialDraft);
  const follow = ({ no }: { no: number | null }) => {
    deviceDraft.forget();
    router.push(no === null ? '/owner/sends' : `/owner/sends/${no}?sent`);
    // Refreshes the frame, whose bar shows the send that can be undone.
    router.refresh();
  };
  const sending = useAction(sendMessageAction, follow, useDraftSentences());
  const plan = usePlanning(planning, useDraftSentences('planned'), () => deviceDraft.forget());
  const deviceDraft = useDeviceDraft(keptAs && `${draftPrefix}${keptAs}`, { draft, when: plan.when }, (content) => {
    restore(content.draft);
    plan.restore(content.when);
  });
  const pending = sending.pending || plan.pending;
  const problems = form.problems({ ...sending.problems, ...plan.problems });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (pending) return;
    const input = form.submit();
    if (!plan.submit(input)) void sending.run(input);
  };
  const submitByKeys = (event: KeyboardEvent) => {
    // React bubbles the key presses of a dialog to this form, which opened it.
    const isInForm = event.currentTarget.contains(event.target as Node);
    if (isInForm && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
  };
  const reached = countReached(draft, choices.active, choices.roles);
  return (
    <DraftForm
      draft={draft}
      problems={problems}
      choices={choices}
      head={isUndone && <Alert role="status">{t('wasUndone')}</Alert>}
      when={plan.asOption}
      onChange={change}
      onSubmit={submit}
      onKeyDown={submitByKeys}
    >
      <Group gap="xs" className="compose-submit">
        <Button type="submit" loading={pending} leftSection={plan.label ? undefined : <Send />}>
          {plan.label ??
            (draft.to !== 'one' && reached.active > 0 ? t('submitEveryone', { people: reached.active }) : t('submit'))}
        </Button>
        {!planning.changes && (
          <Text size="sm" c="dimmed" visibleFrom="sm">
            {t('submitHint')}
          </Text>
        )}
      </Group>
      {deviceDraft.isKept && (
        <Group gap={4}>
          <Text size="sm" c="dimmed">
            {t(deviceDraft.isShared ? 'shared' : 'kept')}
          </Text>
          <Button variant="subtle" px="xs" onClick={deviceDraft.discard}>
            {t('discard')}
          </Button>
        </Group>
      )}
    </DraftForm>
  );
}

type TemplateProps = { template: { id: number; name: string } | null; draft: FormDraft; choices: FormChoices };

export function TemplateForm({ template, draft: initialDraft, choices }: TemplateProps) {
  const t = useTranslations('templates');
  const router = useRouter();
  const { draft, change, ...form } = useDraft(initialDraft);
  const [name, setName] = useState(template?.name ?? '');
  const follow = () => router.push('/owner/sends/templates');
  const { run, pending, problems } = useAction(saveTemplateAction, follow, useDraftSentences('templates'));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) void run({ ...form.submit(), name, template: template?.id ?? null });
  };
  return (
    <DraftForm
      draft={draft}
      problems={form.problems(problems)}
      choices={choices}
      head={
        <TextField
          name="name"
          label={t('name')}
          description={t('nameHint')}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      }
      onChange={change}
      onSubmit={submit}
    >
      <Group>
        <Button type="submit" loading={pending}>
          {t('save')}
        </Button>
        <ButtonLink href="/owner/sends/templates" variant="default" text={t('cancel')} />
      </Group>
    </DraftForm>
  );
}
