'use client';

import { Alert, Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { ContentFields, MustConfirmField } from '#app/owner/sends/new/content-fields.tsx';
import { Preview } from '#app/owner/sends/new/preview.tsx';
import { RecipientFields } from '#app/owner/sends/new/recipient-fields.tsx';
import { asDraftInput, type FormDraft, useDraft } from '#app/owner/sends/new/use-draft.ts';
import { useSaveTemplate } from '#app/owner/sends/new/use-save-template.ts';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import type { Kind } from '#server/notifications/kinds.ts';
import type { RoleCount } from '#server/sends/possible-recipients.ts';

type Props = {
  template: { id: number; name: string } | null;
  draft: FormDraft;
  active: number;
  roles: RoleCount[];
  mustConfirmKinds: Kind[];
  sender: string;
};

/** The form for a template: its name, and what it sends. */
export function TemplateForm({ template, draft: given, active, roles, mustConfirmKinds, sender }: Props) {
  const t = useTranslations('templates');
  const router = useRouter();
  const { draft, change, idOf } = useDraft(null, given);
  const [name, setName] = useState(template?.name ?? '');
  const { run, pending, problems } = useSaveTemplate(() => router.push('/owner/sends/templates'));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) void run({ ...asDraftInput(draft, idOf(draft)), name, template: template?.id ?? null });
  };
  const byKind = mustConfirmKinds.includes(draft.kind);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <form onSubmit={submit} noValidate>
        <Stack>
          {problems.form && (
            <Alert color="red" role="alert">
              {problems.form}
            </Alert>
          )}
          <TextInput
            label={t('name')}
            description={t('nameHint')}
            value={name}
            error={problems.name}
            required
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <RecipientFields
            draft={draft}
            active={active}
            roles={roles}
            problem={problems.recipientId}
            onChange={change}
          />
          <ContentFields draft={draft} problems={problems} onChange={change} />
          <MustConfirmField draft={draft} byKind={byKind} onChange={change} />
          <Group>
            <Button type="submit" loading={pending}>
              {t('save')}
            </Button>
            <ButtonLink href="/owner/sends/templates" variant="default">
              {t('cancel')}
            </ButtonLink>
          </Group>
        </Stack>
      </form>
      <Preview draft={draft} sender={sender} mustConfirm={draft.mustConfirm || byKind} />
    </SimpleGrid>
  );
}
