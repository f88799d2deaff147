import { Alert, Box, Checkbox, NativeSelect, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ChangeEvent, type FormEvent, type KeyboardEvent, type ReactNode, use, useRef, useState } from 'react';
import { AnswerFields, Fold, RecipientFields } from '#app/owner/sends/new/folded-fields.tsx';
import { asDraftInput, type FormDraft, makeDraftId, useDraftSentences } from '#app/owner/sends/new/form-draft.ts';
import { ChosenPicture, PictureButton, usePictureUpload } from '#app/owner/sends/new/picture-field.tsx';
import type { FormChoices } from '#app/owner/sends/new/stored-draft.ts';
import { findTextProblems } from '#app/owner/sends/text-problems.ts';
import { Choices } from '#app/portal/notification/choices.tsx';
import { PopUpContent, PopUpHeading } from '#app/portal/notification/pop-up-face.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { FormProblems, type Problems } from '#app/ui/forms/form-values.ts';
import { LongTextField } from '#app/ui/forms/long-text-field.tsx';
import { asAnswers, draftLimits } from '#server/notifications/field-rules.ts';
import { kinds, privateKinds } from '#server/notifications/kinds.ts';

/**
 * A draft and the id under which it is sent. An unchanged draft that is submitted again, after a double click or a lost
 * response, keeps its id and is sent once. `restore` replaces the draft. `problems` takes those that the service named,
 * and replaces those of the texts by a new check: a text that is too long at once, others after the first submit.
 */
export function useDraft(initialDraft: FormDraft) {
  const [draft, restore] = useState(initialDraft);
  const submitted = useRef<{ draft: FormDraft; draftId: string }>(null);
  const [isChecked, setChecked] = useState(false);
  const sentenceOf = useDraftSentences();
  const problems = (named: Problems): Problems => {
    const { title, body, answers, ...others } = named;
    const tooLong = ['titleLong', 'bodyLong', 'answersLong'];
    const texts = Object.entries(findTextProblems(draft)).filter(([, name]) => isChecked || tooLong.includes(name));
    return { ...others, ...Object.fromEntries(texts.map(([field, name]) => [field, sentenceOf(name) ?? name])) };
  };
  const submit = () => {
    setChecked(true);
    if (submitted.current?.draft !== draft) submitted.current = { draft, draftId: makeDraftId() };
    return asDraftInput(draft, submitted.current.draftId);
  };
  const change = (changes: Partial<FormDraft>) => restore((now) => ({ ...now, ...changes }));
  return { draft, restore, change, problems, submit };
}

type FieldsProps = { draft: FormDraft; onChange: (changes: Partial<FormDraft>) => void };

type FormProps = FieldsProps & {
  problems: Problems;
  choices: FormChoices;
  head?: ReactNode;
  /** When it leaves, as the line of the options says it, and the fields that change it. */
  when?: { text: string; fields: ReactNode; hasProblem: boolean };
  onSubmit: (event: FormEvent) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
};

/** The form of a notification with a preview. `head` stands before its fields, the children behind them. */
export function DraftForm({ draft, problems, choices, head, when, onChange, children, ...form }: FormProps) {
  const { active, roles, mustConfirmKinds, sender } = choices;
  const byKind = mustConfirmKinds.includes(draft.kind);
  const fields = { draft, onChange };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <form {...form} noValidate>
        <Stack gap="sm">
          <FormProblems value={problems}>
            {head}
            <RecipientFields {...fields} active={active} roles={roles} />
            <TextFields {...fields} hasPicture={when !== undefined} />
            <AnswerFields answers={draft.answers} onChange={onChange} />
            <Options {...fields} byKind={byKind} when={when} />
          </FormProblems>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          {children}
        </Stack>
      </form>
      <Preview draft={draft} sender={sender} mustConfirm={draft.mustConfirm || byKind} />
    </SimpleGrid>
  );
}

function TextFields({ draft, hasPicture, onChange }: FieldsProps & { hasPicture: boolean }) {
  const t = useTranslations('compose');
  const upload = usePictureUpload(onChange);
  const field = (name: 'title' | 'body') => ({
    name,
    value: draft[name],
    description: <Counter text={draft[name]} limit={draftLimits[name]} />,
    inputWrapperOrder: ['label' as const, 'input' as const, 'error' as const, 'description' as const],
    required: true,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange({ [name]: currentTarget.value }),
  });
  return (
    <>
      <TextField {...field('title')} label={t('heading')} />
      <LongTextField
        {...field('body')}
        label={t('body')}
        minRows={3}
        maxRows={8}
        rightSection={hasPicture && <PictureButton {...upload} />}
        rightSectionWidth={hasPicture ? 48 : 0}
        rightSectionProps={{ style: { alignItems: 'flex-end' } }}
      />
      <ChosenPicture picture={hasPicture ? draft.picture : null} refusal={upload.refusal} onChange={onChange} />
    </>
  );
}

// What is rare: one line that says what the message has of it, and opens its fields.
function Options({ draft, byKind, when, onChange }: FieldsProps & Pick<FormProps, 'when'> & { byKind: boolean }) {
  const t = useTranslations();
  const asks = draft.answers.length > 0;
  const parts = [
    t(`inbox.kind.${draft.kind}`),
    !asks && (draft.mustConfirm || byKind) && t('compose.hasConfirmation'),
    draft.url !== '' && t('compose.hasLink'),
    when?.text,
  ];
  const hasProblem = use(FormProblems).url !== undefined || when?.hasProblem;
  return (
    <Fold label={t('compose.options')} summary={parts.filter(Boolean).join(' · ')} opened={hasProblem}>
      {when?.fields}
      <NativeSelect
        label={t('compose.kind')}
        description={t('compose.kindHint')}
        value={draft.kind}
        data={kinds.map((kind) => ({ value: kind, label: t(`inbox.kind.${kind}`) }))}
        onChange={({ currentTarget }) => onChange({ kind: kinds.find((kind) => kind === currentTarget.value) })}
      />
      {!asks && (
        <Checkbox
          className="tall"
          label={t('compose.mustConfirm')}
          styles={{ description: { marginTop: -12 } }}
          description={t(byKind ? 'compose.mustConfirmByKind' : 'compose.mustConfirmHint')}
          checked={draft.mustConfirm || byKind}
          disabled={byKind}
          onChange={({ currentTarget }) => onChange({ mustConfirm: currentTarget.checked })}
        />
      )}
      <TextField
        name="url"
        label={t('compose.link')}
        description={t('compose.linkHint')}
        value={draft.url}
        required={false}
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
      />
    </Fold>
  );
}

const shownSurplus = 120;

// Counts code points, as the public interface and the database do.
function Counter({ text, limit }: { text: string; limit: number }) {
  const t = useTranslations('compose');
  const all = [...text];
  const surplus = all.slice(limit).join('');
  return (
    <>
      {t('count', { count: String(all.length), limit: String(limit) })}
      {surplus && (
        <Text component="span" inherit c="var(--mantine-color-error)" fw={600} className="wrapping">
          {' · '}
          {t('surplus', { text: surplus.length > shownSurplus ? `${surplus.slice(0, shownSurplus)}…` : surplus })}
        </Text>
      )}
    </>
  );
}

type PreviewProps = { draft: FormDraft; sender: string; mustConfirm: boolean };

// The pop-up as recipients see it; for a private kind also as it looks with hidden text.
function Preview(props: PreviewProps) {
  const t = useTranslations('compose');
  return (
    <section aria-labelledby="preview">
      <Title order={2} size="h4" id="preview" mb="sm">
        {t('preview')}
      </Title>
      <Stack gap="sm">
        <PopUp {...props} hidden={false} />
        {privateKinds.includes(props.draft.kind) && (
          <>
            <Text size="sm">{t('previewPrivate')}</Text>
            <PopUp {...props} hidden />
          </>
        )}
      </Stack>
    </section>
  );
}

function PopUp({ draft, sender, mustConfirm, hidden }: PreviewProps & { hidden: boolean }) {
  const t = useTranslations();
  const look = hidden ? 'hidden' : 'shown';
  const given = asAnswers(draft.answers);
  const answers = given.length > 0 ? given : null;
  const item = {
    ...draft,
    answers,
    title: draft.title || t('compose.previewTitle'),
    body: draft.body || t('compose.previewBody'),
    ...{ sender, mustConfirm, isManual: true, remindsNo: null, correctedAt: null, correctedBy: null, href: null },
  };
  return (
    <Paper withBorder shadow="md" className="pop-up-card" maw={356} pos="relative" data-preview={look}>
      <div className="pop-up-title">
        <PopUpHeading item={item} />
      </div>
      <PopUpContent
        item={item}
        hidden={hidden}
        linkBase={null}
        button={(isSeen) => (
          <Box inert mt={8}>
            <Choices
              choices={(isSeen && answers) || [t(`mustRead.${isSeen ? 'confirm' : 'readAll'}`)]}
              title={item.title}
            />
          </Box>
        )}
      />
    </Paper>
  );
}
