'use client';

import { Button, Group } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { saveTemplateAction } from '#app/owner/sends/actions.ts';
import { DraftForm, useDraft } from '#app/owner/sends/new/draft-form.tsx';
import { type FormDraft, useDraftSentences } from '#app/owner/sends/new/form-draft.ts';
import type { FormChoices } from '#app/owner/sends/new/stored-draft.ts';
import { TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ButtonLink } from '#app/ui/text/links.tsx';

type Props = { template: { id: number; name: string } | null; draft: FormDraft; choices: FormChoices };

export function TemplateForm({ template, draft: initialDraft, choices }: Props) {
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
        <ButtonLink href="/owner/sends/templates" variant="default">
          {t('cancel')}
        </ButtonLink>
      </Group>
    </DraftForm>
  );
}
