'use client';

import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { correctSendAction } from '#app/owner/sends/actions.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

const names = ['titleBlank', 'titleLong', 'bodyBlank', 'bodyLong', 'linkInternal', 'linkLong', 'forbidden'] as const;

/** A send whose text can be corrected. */
export type Correctable = { no: number; title: string; body: string; url: string | null };

/** The dialog with the texts of a send. */
export function CorrectDialog({ send, onClose }: { send: Correctable; onClose: () => void }) {
  const t = useTranslations();
  const router = useRouter();
  const [text, setText] = useState({ title: send.title, body: send.body, url: send.url ?? '' });
  const follow = () => {
    onClose();
    router.refresh();
  };
  const { run, pending, problems } = useAction(correctSendAction, follow, {
    ...Object.fromEntries(names.map((name) => [name, t(`compose.${name}`, draftLimits)])),
    gone: t('sends.correctGone'),
    tooLate: t('sends.correctTooLate'),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run({ no: send.no, ...text });
  };
  return (
    <Dialog onClose={onClose} title={t('sends.correctTitle')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <Text size="sm">{t('sends.correctText')}</Text>
          <TextInput
            label={t('compose.heading')}
            name="title"
            value={text.title}
            error={problems.title}
            required
            data-autofocus
            onChange={({ currentTarget }) => setText({ ...text, title: currentTarget.value })}
          />
          <Textarea
            label={t('compose.body')}
            name="body"
            value={text.body}
            error={problems.body}
            required
            autosize
            minRows={3}
            onChange={({ currentTarget }) => setText({ ...text, body: currentTarget.value })}
          />
          <TextInput
            label={t('compose.link')}
            name="url"
            value={text.url}
            error={problems.url}
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ currentTarget }) => setText({ ...text, url: currentTarget.value })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('form.cancel')}
            </Button>
            <Button type="submit" loading={pending}>
              {t('sends.correct')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
