'use client';

import { Alert, NativeSelect, Stack, Switch, Textarea } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { editKeyAction } from '#app/owner/keys/actions.ts';
import { expectedIntervals } from '#app/owner/keys/expected-intervals.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { FormButtons } from '#app/ui/forms/form-buttons.tsx';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';
import type { KeyOverview } from '#server/keys/key-overview.ts';

/** The dialog for the settings of a key: note, confirmation, expected interval of sends. */
export function EditKey({ apiKey, onClose }: { apiKey: KeyOverview; onClose: () => void }) {
  const t = useTranslations('keys');
  const form = useTranslations('form');
  const { run, pending, problems } = useAction(editKeyAction, onClose, { gone: t('gone') });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { note = '', mustConfirm, expected = '' } = readForm(event.currentTarget);
    const expectedEveryMinutes = expectedIntervals.find((minutes) => String(minutes) === expected) ?? null;
    void run({ id: apiKey.id, note, mustConfirm: mustConfirm === 'on', expectedEveryMinutes });
  };
  const choices = expectedIntervals.map((minutes) => ({ value: String(minutes), label: t(`every.${minutes}`) }));
  return (
    <Dialog onClose={onClose} title={<bdi>{t('editTitle', { name: apiKey.name })}</bdi>}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <Textarea
            name="note"
            label={t('note')}
            description={t('noteHint')}
            defaultValue={apiKey.note ?? ''}
            error={problems.note}
            size="md"
            autosize
            minRows={2}
            data-autofocus
          />
          <Switch
            name="mustConfirm"
            label={t('mustConfirm')}
            description={t('mustConfirmHint')}
            defaultChecked={apiKey.mustConfirm}
            className="tall"
          />
          <NativeSelect
            name="expected"
            label={t('expected')}
            description={t('expectedHint')}
            defaultValue={apiKey.expectedEveryMinutes ?? ''}
            data={[{ value: '', label: t('every.off') }, ...choices]}
          />
          <FormButtons submit={form('save')} pending={pending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
