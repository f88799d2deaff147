'use client';

import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { BookmarkPlus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { saveTemplateAction } from '#app/owner/sends/new/actions.ts';
import { fieldProblems } from '#app/owner/sends/new/draft-form.tsx';
import { asDraftInput, type FormDraft } from '#app/owner/sends/new/use-draft.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

type Props = { draft: FormDraft; draftId: () => string };

/** The button that keeps what the form says as a template, after a dialog that asks for its name. */
export function SaveAsTemplate({ draft, draftId }: Props) {
  const t = useTranslations('templates');
  const [state, setState] = useState<'asking' | 'saved'>();
  return (
    <>
      <Button variant="subtle" leftSection={<BookmarkPlus aria-hidden size={18} />} onClick={() => setState('asking')}>
        {t('saveAs')}
      </Button>
      {state === 'saved' && (
        <Text size="sm" role="status">
          {t('saved')}
        </Text>
      )}
      {state === 'asking' && (
        <NameDialog
          draft={draft}
          draftId={draftId}
          onClose={() => setState(undefined)}
          onSaved={() => setState('saved')}
        />
      )}
    </>
  );
}

function NameDialog({ draft, draftId, onClose, onSaved }: Props & { onClose: () => void; onSaved: () => void }) {
  const t = useTranslations('templates');
  const [name, setName] = useState(draft.title.slice(0, 60));
  const { run, pending, problems } = useSaveTemplate(onSaved);
  const { name: nameProblem, ...others } = problems;
  const [other] = Object.values(others);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog is a child of the form that it belongs to, as far as React's events go.
    event.stopPropagation();
    if (!pending) void run({ ...asDraftInput(draft, draftId()), name, template: null });
  };
  return (
    <Dialog onClose={onClose} title={t('saveAs')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {other && <Alert color="red">{other}</Alert>}
          <Text size="sm">{t('saveAsText')}</Text>
          <TextInput
            label={t('name')}
            value={name}
            error={nameProblem}
            required
            data-autofocus
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={pending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Saves a template; the problems of its fields are sentences. */
export function useSaveTemplate(onSaved: () => void) {
  const [t, ofTemplates] = [useTranslations('compose'), useTranslations('templates')];
  const own = ['nameTaken', 'tooMany', 'templateGone'] as const;
  return useAction(saveTemplateAction, onSaved, {
    ...Object.fromEntries(fieldProblems.map((name) => [name, t(name, draftLimits)])),
    ...Object.fromEntries(own.map((name) => [name, ofTemplates(name)])),
  });
}
