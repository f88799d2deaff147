'use client';

import {
  Alert,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { sendDraftAction } from '#app/owner/sends/new/actions.ts';
import { HeldSendPanel, type Waiting } from '#app/owner/sends/new/held-send.tsx';
import { Preview } from '#app/owner/sends/new/preview.tsx';
import { countReached, RecipientFields } from '#app/owner/sends/new/recipient-fields.tsx';
import { type FormDraft, useDraft } from '#app/owner/sends/new/use-draft.ts';
import { type Planning, usePlanning } from '#app/owner/sends/when/use-planning.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { type Kind, kinds } from '#server/notifications/kinds.ts';
import type { PossibleRecipient, RoleCount } from '#server/sends/possible-recipients.ts';

const titleProblems = ['titleBlank', 'titleLong'] as const;
const bodyProblems = ['bodyBlank', 'bodyLong'] as const;
const recipientProblems = [
  'personMissing',
  'gone',
  'rolesMissing',
  'rolesGone',
  'peopleMissing',
  'peopleGone',
] as const;
const otherProblems = ['linkInternal', 'linkLong', 'forbidden', 'undone'] as const;
const problemNames = [...titleProblems, ...bodyProblems, ...recipientProblems, ...otherProblems];

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
    const { recipient: chosen, people, ...rest } = draft;
    const ids = people.map(({ id }) => id);
    const input = { ...rest, recipientId: chosen?.id ?? null, people: ids, draftId: idOf(draft) };
    if (!plan.submit(input)) void sending.run(input);
  };
  const submitByKeys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
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

type FieldsProps = { draft: FormDraft; onChange: (changes: Partial<FormDraft>) => void };

function ContentFields({ draft, problems, onChange }: FieldsProps & { problems: Record<string, string> }) {
  const t = useTranslations();
  return (
    <>
      <NativeSelect
        label={t('compose.kind')}
        description={t('compose.kindHint')}
        value={draft.kind}
        data={kinds.map((kind) => ({ value: kind, label: t(`inbox.kind.${kind}`) }))}
        onChange={({ currentTarget }) => onChange({ kind: kinds.find((kind) => kind === currentTarget.value) })}
      />
      <TextInput
        label={t('compose.heading')}
        value={draft.title}
        error={problems.title}
        description={<Counter text={draft.title} limit={draftLimits.title} />}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        required
        onChange={({ currentTarget }) => onChange({ title: currentTarget.value })}
      />
      <Textarea
        size="md"
        label={t('compose.body')}
        value={draft.body}
        error={problems.body}
        description={<Counter text={draft.body} limit={draftLimits.body} />}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        required
        autosize
        minRows={3}
        onChange={({ currentTarget }) => onChange({ body: currentTarget.value })}
      />
      <TextInput
        label={t('compose.link')}
        description={t('compose.linkHint')}
        value={draft.url}
        error={problems.url}
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
      />
    </>
  );
}

// Counts code points, as the public interface and the database do.
function Counter({ text, limit }: { text: string; limit: number }) {
  const t = useTranslations('compose');
  const count = [...text].length;
  return (
    <Text
      component="span"
      inherit
      c={count > limit ? 'var(--mantine-color-error)' : undefined}
      fw={count > limit ? 600 : 400}
    >
      {t('count', { count: String(count), limit: String(limit) })}
    </Text>
  );
}

function MustConfirmField({ draft, byKind, onChange }: FieldsProps & { byKind: boolean }) {
  const t = useTranslations('compose');
  return (
    <div className="tall">
      <Checkbox
        size="md"
        label={
          <>
            {t('mustConfirm')}
            <Text component="span" display="block" size="sm" c="dimmed">
              {byKind ? t('mustConfirmByKind') : t('mustConfirmHint')}
            </Text>
          </>
        }
        checked={draft.mustConfirm || byKind}
        disabled={byKind}
        onChange={({ currentTarget }) => onChange({ mustConfirm: currentTarget.checked })}
      />
    </div>
  );
}
