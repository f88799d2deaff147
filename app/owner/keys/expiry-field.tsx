'use client';

import { Button, Group, TextInput } from '@mantine/core';
import { useFormatter, useTimeZone, useTranslations } from 'next-intl';
import { useState } from 'react';

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
