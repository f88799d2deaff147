'use client';

import { Button, Group, Textarea, TextInput } from '@mantine/core';
import { useFormatter, useTimeZone, useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Problems } from '#app/ui/forms/use-action.ts';
import { maxActiveKeys } from '#server/keys/limits.ts';

/** The fields for name and note of a key. `problems` are shown at them. */
export function NameFields({ name, note, problems }: { name: string; note: string; problems: Problems }) {
  const t = useTranslations('keys');
  return (
    <>
      <TextInput
        name="name"
        label={t('name')}
        placeholder={t('nameHint')}
        defaultValue={name}
        error={problems.name}
        maxLength={120}
        autoComplete="off"
        data-autofocus
        required
      />
      <Textarea
        name="note"
        label={t('note')}
        description={t('noteHint')}
        defaultValue={note}
        error={problems.note}
        size="md"
        autosize
        minRows={2}
      />
    </>
  );
}

const presets = [30, 90, 365];

/** The field for the last valid day of a key, with presets. The day is written out below it. */
export function ExpiryField({ expiresOn, error }: { expiresOn: string | null; error?: string }) {
  const t = useTranslations('keys');
  const format = useFormatter();
  const timeZone = useTimeZone() ?? 'Asia/Jakarta';
  const [day, setDay] = useState(expiresOn ?? '');
  const written = day && format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle: 'full', timeZone: 'UTC' });
  return (
    <div>
      <TextInput
        type="date"
        name="expiresOn"
        label={t('expires')}
        description={t('expiresHint')}
        value={day}
        min={dayIn(0, timeZone)}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
        error={error}
      />
      <div className="fine-print">{written ? t('expiresLast', { day: written }) : t('expiresNever')}</div>
      <Group gap="xs" mt={4} role="group" aria-label={t('expiresChoices')}>
        {presets.map((days) => (
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

// Some days from now, as YYYY-MM-DD in a time zone. The Swedish date format is ISO 8601.
const dayIn = (days: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(Date.now() + days * 24 * 60 * 60 * 1000));

/** The sentences for the refusals of creating, replacing and changing a key. */
export function useKeyProblems(): Record<string, string> {
  const t = useTranslations('keys');
  return {
    nameTaken: t('nameTaken'),
    tooMany: t('tooMany', { limit: maxActiveKeys }),
    gone: t('gone'),
    alreadyReplaced: t('alreadyReplaced'),
    dayIsPast: t('dayIsPast'),
  };
}
