'use client';

import { Alert, Checkbox, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { FormEvent, KeyboardEvent, ReactNode } from 'react';
import { Preview } from '#app/owner/sends/new/preview.tsx';
import { RecipientFields } from '#app/owner/sends/new/recipient-fields.tsx';
import type { FormChoices } from '#app/owner/sends/new/stored-draft.ts';
import type { FormDraft } from '#app/owner/sends/new/use-draft.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';

const textProblems = [
  'titleBlank',
  'titleLong',
  'bodyBlank',
  'bodyLong',
  'linkInternal',
  'linkLong',
  'forbidden',
] as const;
const recipientProblems = [
  'personMissing',
  'gone',
  'rolesMissing',
  'rolesGone',
  'peopleMissing',
  'peopleGone',
] as const;

/** The problems of the fields of a notification, each a text of `compose`. */
export const fieldProblems = [...textProblems, ...recipientProblems] as const;

type FieldsProps = { draft: FormDraft; onChange: (changes: Partial<FormDraft>) => void };

/** The form of a notification with a preview. `head` stands before its fields, the children behind them. */
export function DraftForm({
  draft,
  problems,
  choices: { active, roles, mustConfirmKinds, sender },
  head,
  onChange,
  onSubmit,
  onKeyDown,
  children,
}: FieldsProps & {
  problems: Record<string, string>;
  choices: FormChoices;
  head?: ReactNode;
  onSubmit: (event: FormEvent) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}) {
  const byKind = mustConfirmKinds.includes(draft.kind);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <form onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate>
        <Stack>
          {problems.form && (
            <Alert color="red" role="alert">
              {problems.form}
            </Alert>
          )}
          {head}
          <RecipientFields
            draft={draft}
            active={active}
            roles={roles}
            problem={problems.recipientId}
            onChange={onChange}
          />
          <ContentFields draft={draft} problems={problems} onChange={onChange} />
          <MustConfirmField draft={draft} byKind={byKind} onChange={onChange} />
          {children}
        </Stack>
      </form>
      <Preview draft={draft} sender={sender} mustConfirm={draft.mustConfirm || byKind} />
    </SimpleGrid>
  );
}

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
