import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useTimeZone, useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { asClock, asMinute, minuteOfDay } from '#app/portal/live/quiet/quiet.ts';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { readForm } from '#app/ui/forms/form-values.ts';
import { isoDayOf, serviceNow } from '#app/ui/text/times.ts';
import type { SnoozeTime } from '#server/inbox/moves.ts';

const showWhole = (choices: HTMLElement | null) => choices?.scrollIntoView({ block: 'nearest' });
const evening = 18 * 60;
const morning = 8 * 60;
const inset = { px: 12, py: 4 };

type Props = { snooze: (time: SnoozeTime) => Promise<boolean>; problem?: string; note?: string; onClose: () => void };

/** The times at which a notification may come back. A second press on a chosen one does nothing. */
export function SnoozeChoices({ snooze, problem, note, onClose }: Props) {
  const t = useTranslations('archiveAndSnooze');
  const companyZone = useTimeZone() ?? 'Asia/Jakarta';
  const zone = usePortalState().preferences.quietTimeZone ?? companyZone;
  const [done, setDone] = useState(false);
  const [own, setOwn] = useState(false);
  const now = serviceNow();
  const choose = async (time: SnoozeTime) => setDone(await snooze(time));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [day = '', time = ''] = readForm(event.currentTarget).at?.split('T') ?? [];
    void choose({ day, minute: asMinute(time) });
  };
  const print = (text: string) => (
    <Text className="fine-print" {...inset}>
      {text}
    </Text>
  );
  const choice = (label: string, act: () => void) => (
    <button type="button" className="quiet-button" onClick={act}>
      {label}
    </button>
  );
  return (
    <Stack ref={showWhole} gap={0} inert={done} className={done ? 'fading' : undefined} onAnimationEnd={onClose}>
      {note && print(note)}
      {problem && (
        <Text {...inset} size="sm" c="var(--loss)" role="alert">
          {problem}
        </Text>
      )}
      {choice(t('hour'), () => void choose('hour'))}
      {minuteOfDay(now, zone) < evening &&
        choice(t('evening', { time: asClock(evening) }), () => void choose('evening'))}
      {choice(t('morning', { time: asClock(morning) }), () => void choose('morning'))}
      {!own && choice(t('own'), () => setOwn(true))}
      {own && (
        <form ref={showWhole} onSubmit={submit}>
          <Stack gap={8} {...inset}>
            <TextInput
              type="datetime-local"
              name="at"
              label={t('own')}
              required
              defaultValue={`${isoDayOf(now, zone)}T08:00`}
            />
            <Button type="submit">{t('submit')}</Button>
          </Stack>
        </form>
      )}
      {zone !== companyZone && print(t('zone', { zone }))}
    </Stack>
  );
}
