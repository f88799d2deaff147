'use client';

import '#app/ui/forms/controls.css';
import { Button, Group, NativeSelect, Switch, Text } from '@mantine/core';
import { useFormatter, useTimeZone, useTranslations } from 'next-intl';
import { useState } from 'react';
import { createKeyAction, editKeyAction } from '#app/owner/keys/actions.ts';
import { NewKeyDialog, type ShownKey } from '#app/owner/keys/create/new-key-dialog.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { LongTextField } from '#app/ui/forms/long-text-field.tsx';
import { useSentences } from '#app/ui/forms/sentences.ts';
import { FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import { dayMs, isoDayOf, serviceNow } from '#app/ui/text/times.ts';
import { expectedIntervals, maxActiveKeys, maxKeyNameLength } from '#server/keys/key-limits.ts';
import type { KeyOverview } from '#server/keys/key-overview.ts';

type NewKeyProps = { apiKey?: KeyOverview; names?: string[]; baseUrl: string; onClose: () => void };

/** The dialog that creates a key, or a replacement for `apiKey`, and shows it once. `names` are those of the active keys. */
export function NewKey({ apiKey, names = [], baseUrl, onClose }: NewKeyProps) {
  const t = useTranslations('keys');
  const [newKey, setNewKey] = useState<ShownKey>();
  const sentences = useKeySentences();
  if (newKey) return <NewKeyDialog newKey={newKey} baseUrl={baseUrl} onSaved={onClose} />;
  return (
    <FormDialog
      title={apiKey ? <bdi>{t('replaceTitle', { name: apiKey.name })}</bdi> : t('create')}
      submit={t(apiKey ? 'replace' : 'create')}
      sentences={sentences}
      onClose={onClose}
      action={({ name = '', note = '', expiresOn }) =>
        createKeyAction({ name, note, expiresOn: expiresOn || null, replacedId: apiKey?.id })
      }
      onDone={setNewKey}
    >
      {apiKey && <Text>{t('replaceLead')}</Text>}
      <NameFields name={apiKey && suggestName(apiKey.name, names)} note={apiKey?.note} />
      <details>
        <summary>{t('expiresFold')}</summary>
        <ExpiryField expiresOn={null} />
      </details>
    </FormDialog>
  );
}

// Counts up: "n8n", "n8n 2", "n8n 3".
function suggestName(name: string, otherNames: string[]): string {
  const [, stem = name, last = '1'] = /^(.*) (\d{1,3})$/u.exec(name) ?? [];
  for (let number = Number(last) + 1; ; number++) {
    const suggestion = `${[...stem].slice(0, maxKeyNameLength - 5).join('')} ${number}`;
    if (!otherNames.includes(suggestion)) return suggestion;
  }
}

export function EditKey({ apiKey, onClose }: { apiKey: KeyOverview; onClose: () => void }) {
  const t = useTranslations('keys');
  const save = ({ name = '', note = '', expiresOn, mustConfirm, expected }: Record<string, string>) => {
    const expectedEveryMinutes = expectedIntervals.find((minutes) => String(minutes) === expected) ?? null;
    const switched = { mustConfirm: mustConfirm === 'on', expectedEveryMinutes };
    return editKeyAction({ id: apiKey.id, name, note, expiresOn: expiresOn || null, ...switched });
  };
  const choices = expectedIntervals.map((minutes) => ({ value: String(minutes), label: t(`every.${minutes}`) }));
  return (
    <FormDialog
      title={<bdi>{t('editTitle', { name: apiKey.name })}</bdi>}
      action={save}
      sentences={useKeySentences()}
      onClose={onClose}
    >
      <NameFields name={apiKey.name} note={apiKey.note} />
      <ExpiryField expiresOn={apiKey.expiry?.on ?? null} />
      <Switch
        name="mustConfirm"
        label={t('mustConfirm')}
        description={t('mustConfirmHint')}
        defaultChecked={apiKey.mustConfirm}
      />
      <NativeSelect
        name="expected"
        label={t('expected')}
        description={t('expectedHint')}
        defaultValue={apiKey.expectedEveryMinutes ?? ''}
        data={[{ value: '', label: t('every.off') }, ...choices]}
      />
    </FormDialog>
  );
}

function NameFields({ name, note }: { name?: string; note?: string | null }) {
  const t = useTranslations('keys');
  return (
    <>
      <TextField
        name="name"
        label={t('name')}
        placeholder={t('nameHint')}
        defaultValue={name}
        maxLength={120}
        data-autofocus
      />
      <LongTextField name="note" label={t('note')} description={t('noteHint')} defaultValue={note ?? ''} minRows={2} />
    </>
  );
}

function ExpiryField({ expiresOn }: { expiresOn: string | null }) {
  const t = useTranslations('keys');
  const format = useFormatter();
  const timeZone = useTimeZone() ?? 'Asia/Jakarta';
  const [day, setDay] = useState(expiresOn ?? '');
  const written = day && format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle: 'full', timeZone: 'UTC' });
  return (
    <div>
      <TextField
        type="date"
        name="expiresOn"
        label={t('expires')}
        description={t('expiresHint')}
        value={day}
        min={dayIn(0, timeZone)}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
        required={false}
      />
      <div className="fine-print">{written ? t('expiresLast', { day: written }) : t('expiresNever')}</div>
      <Group gap="xs" mt={4} role="group" aria-label={t('expiresChoices')}>
        {[30, 90, 365].map((days) => (
          <Button key={days} variant="default" onClick={() => setDay(dayIn(days, timeZone))}>
            {t('expiresIn', { days })}
          </Button>
        ))}
        <Button variant="default" onClick={() => setDay('')}>
          {t('expiresNever')}
        </Button>
      </Group>
    </div>
  );
}

const dayIn = (days: number, timeZone: string) => isoDayOf(new Date(serviceNow().getTime() + days * dayMs), timeZone);

const useKeySentences = () => useSentences(['keys'], { limit: maxActiveKeys });
