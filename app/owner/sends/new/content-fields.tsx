'use client';

import { Checkbox, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { FormDraft } from '#app/owner/sends/new/use-draft.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import { kinds } from '#server/notifications/kinds.ts';

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
const otherProblems = ['linkInternal', 'linkLong', 'forbidden'] as const;

/** The problems of the fields of a notification, each a text of `compose`. */
export const fieldProblems = [...titleProblems, ...bodyProblems, ...recipientProblems, ...otherProblems] as const;

type FieldsProps = { draft: FormDraft; onChange: (changes: Partial<FormDraft>) => void };

/** The fields of kind, title, text and link. */
export function ContentFields({ draft, problems, onChange }: FieldsProps & { problems: Record<string, string> }) {
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

/** The box that asks recipients to confirm. */
export function MustConfirmField({ draft, byKind, onChange }: FieldsProps & { byKind: boolean }) {
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
