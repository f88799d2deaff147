import { Text, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ChangeEvent, useState } from 'react';
import { correctSendAction } from '#app/owner/sends/actions.ts';
import { useDraftSentences } from '#app/owner/sends/new/form-draft.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { Form, FormButtons } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

export type Correctable = { no: number; title: string; body: string; url: string | null };

export function CorrectDialog({ send, onClose }: { send: Correctable; onClose: () => void }) {
  const t = useTranslations();
  const [text, setText] = useState({ title: send.title, body: send.body, url: send.url ?? '' });
  const { run, pending, problems } = useAction(correctSendAction, onClose, {
    ...useDraftSentences(),
    gone: t('sends.correctGone'),
    tooLate: t('sends.correctTooLate'),
  });
  const field = (name: 'title' | 'body' | 'url') => ({
    name,
    value: text[name],
    error: problems[name],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setText({ ...text, [name]: currentTarget.value }),
  });
  return (
    <Dialog onClose={onClose} title={t('sends.correctTitle')}>
      <Form problems={problems} onSubmit={() => void run({ no: send.no, ...text })}>
        <Text size="sm">{t('sends.correctText')}</Text>
        <TextInput {...field('title')} label={t('compose.heading')} required data-autofocus />
        <Textarea {...field('body')} label={t('compose.body')} required autosize minRows={3} />
        <TextInput {...field('url')} label={t('compose.link')} autoCapitalize="none" spellCheck={false} />
        <FormButtons submit={t('sends.correct')} pending={pending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
