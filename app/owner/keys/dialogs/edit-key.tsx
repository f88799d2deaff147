'use client';

import { Alert, NativeSelect, Stack, Switch } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { editKeyAction } from '#app/owner/keys/actions.ts';
import { ExpiryField, NameFields, useKeyProblems } from '#app/owner/keys/create/key-fields.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { FormButtons } from '#app/ui/forms/form-buttons.tsx';
import { readForm } from '#app/ui/forms/use-action.ts';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';
import { expectedIntervals } from '#server/keys/limits.ts';

/**
 * The dialog for the settings of a key: name, note, last valid day, confirmation, expected interval
 * of sends.
 */
export function EditKey({ apiKey, onClose }: { apiKey: KeyOverview; onClose: () => void }) {
  const t = useTranslations('keys');
  const form = useTranslations('form');
  const router = useRouter();
  const saved = () => {
    onClose();
    router.refresh();
  };
  const { run, pending, problems, dialog } = useReauthenticatedAction(editKeyAction, saved, useKeyProblems());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '', note = '', expiresOn = '', mustConfirm, expected = '' } = readForm(event.currentTarget);
    const expectedEveryMinutes = expectedIntervals.find((minutes) => String(minutes) === expected) ?? null;
    const switched = { mustConfirm: mustConfirm === 'on', expectedEveryMinutes };
    void run({ id: apiKey.id, name, note, expiresOn: expiresOn || null, ...switched });
  };
  const choices = expectedIntervals.map((minutes) => ({ value: String(minutes), label: t(`every.${minutes}`) }));
  return (
    <Dialog onClose={onClose} title={<bdi>{t('editTitle', { name: apiKey.name })}</bdi>}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <NameFields name={apiKey.name} note={apiKey.note ?? ''} problems={problems} />
          <ExpiryField expiresOn={apiKey.expiry?.on ?? null} error={problems.expiresOn} />
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
      {dialog}
    </Dialog>
  );
}
