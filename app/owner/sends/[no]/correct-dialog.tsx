import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { correctSendAction } from '#app/owner/sends/actions.ts';
import { useDraftSentences } from '#app/owner/sends/new/form-draft.ts';
import { TextField } from '#app/ui/forms/form.tsx';
import { LongTextField } from '#app/ui/forms/long-text-field.tsx';
import { FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import type { SendDetails } from '#server/sends/history/details.ts';

export function CorrectDialog({ send, onClose }: { send: SendDetails; onClose: () => void }) {
  const t = useTranslations();
  const { no, title, body, url } = send;
  const sentenceOf = useDraftSentences();
  const ofSend: Record<string, string> = { gone: t('sends.correctGone'), tooLate: t('sends.correctTooLate') };
  return (
    <FormDialog
      title={t('sends.correctTitle')}
      submit={t('sends.correct')}
      action={({ title = '', body = '', url = '' }) => correctSendAction({ no, title, body, url })}
      sentences={(problem) => ofSend[problem] ?? sentenceOf(problem)}
      onClose={onClose}
    >
      <Text size="sm">{t('sends.correctText')}</Text>
      <TextField name="title" label={t('compose.heading')} defaultValue={title} data-autofocus />
      <LongTextField name="body" label={t('compose.body')} defaultValue={body} required minRows={3} />
      <TextField
        name="url"
        label={t('compose.link')}
        defaultValue={url ?? ''}
        required={false}
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormDialog>
  );
}
