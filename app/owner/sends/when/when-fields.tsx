'use client';

import { Chip, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { usePlanText } from '#app/owner/sends/when/plan-text.tsx';
import { type Rhythm, rhythms } from '#server/sends/rhythms.ts';

/** When a notification leaves, as its form has it. Dates and times are in the company's zone. */
export type When = {
  mode: 'now' | 'later' | 'repeat';
  date: string;
  time: string;
  every: Rhythm;
  weekdays: number[];
  monthDay: number;
  endsOn: string;
};

type Props = {
  when: When;
  timeZone: string;
  /** The modes to choose from. */
  modes: readonly When['mode'][];
  problems: Record<string, string>;
  onChange: (changes: Partial<When>) => void;
};

/** The fields for the time of a send: now, later or again and again, with a sentence that says it. */
export function WhenFields({ when, timeZone, modes, problems, onChange }: Props) {
  const t = useTranslations('planned');
  const text = usePlanText(timeZone);
  const isComplete = when.date !== '' && when.time !== '' && (when.every !== 'week' || when.weekdays.length > 0);
  return (
    <Stack gap="sm" data-when={when.mode}>
      {modes.length > 1 && (
        <div>
          <Text component="span" fw={500} id="when-label">
            {t('when')}
          </Text>
          <Chip.Group value={when.mode} onChange={(mode) => onChange({ mode: modes.find((one) => one === mode) })}>
            <Group gap={6} mt={6} role="radiogroup" aria-labelledby="when-label">
              {modes.map((mode) => (
                <Chip key={mode} value={mode} size="md">
                  {t(`mode.${mode}`)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </div>
      )}
      {when.mode === 'later' && <LaterFields {...{ when, timeZone, modes, problems, onChange }} />}
      {when.mode === 'repeat' && <RepeatFields {...{ when, timeZone, modes, problems, onChange }} />}
      {when.mode !== 'now' && isComplete && (
        <Text size="sm" fw={600} role="status" data-plan-sentence>
          {when.mode === 'later'
            ? t('leaves', { when: text.moment(when.date, when.time) })
            : t('repeats', {
                when: text.schedule({ ...when, startsOn: when.date, endsOn: null }),
                until: text.until(when.endsOn || null),
              })}
        </Text>
      )}
    </Stack>
  );
}

function LaterFields({ when, timeZone, problems, onChange }: Props) {
  const t = useTranslations('planned');
  const { zone } = usePlanText(timeZone);
  return (
    <SimpleGrid cols={2} spacing="sm">
      <WhenField name="date" label={t('date')} when={when} problems={problems} onChange={onChange} />
      <WhenField name="time" label={t('time', { zone })} when={when} problems={problems} onChange={onChange} />
    </SimpleGrid>
  );
}

function RepeatFields({ when, timeZone, problems, onChange }: Props) {
  const t = useTranslations('planned');
  const { zone, weekday } = usePlanText(timeZone);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NativeSelect
          label={t('every')}
          value={when.every}
          data={rhythms.map((rhythm) => ({ value: rhythm, label: t(`rhythm.${rhythm}`) }))}
          onChange={({ currentTarget }) => onChange({ every: rhythms.find((one) => one === currentTarget.value) })}
        />
        <WhenField name="time" label={t('time', { zone })} when={when} problems={problems} onChange={onChange} />
      </SimpleGrid>
      {when.every === 'week' && (
        <div>
          <Chip.Group
            multiple
            value={when.weekdays.map(String)}
            onChange={(days) => onChange({ weekdays: days.map(Number).sort() })}
          >
            <Group gap={6} aria-label={t('weekdays')} role="group">
              {[1, 2, 3, 4, 5, 6, 7].map((day) => (
                <Chip key={day} value={String(day)} size="md">
                  {weekday(day, 'short')}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          {problems.weekdays && (
            <Text size="sm" c="var(--mantine-color-error)" mt={4}>
              {problems.weekdays}
            </Text>
          )}
        </div>
      )}
      {when.every === 'month' && (
        <NativeSelect
          label={t('monthDay')}
          value={String(when.monthDay)}
          data={Array.from({ length: 31 }, (_, day) => ({
            value: String(day + 1),
            label: day === 30 ? t('lastDay') : String(day + 1),
          }))}
          onChange={({ currentTarget }) => onChange({ monthDay: Number(currentTarget.value) })}
        />
      )}
      <SimpleGrid cols={2} spacing="sm">
        <WhenField name="date" label={t('from')} when={when} problems={problems} onChange={onChange} />
        <TextInput
          type="date"
          label={t('endsOn')}
          value={when.endsOn}
          onChange={({ currentTarget }) => onChange({ endsOn: currentTarget.value })}
        />
      </SimpleGrid>
    </>
  );
}

type FieldProps = Pick<Props, 'when' | 'problems' | 'onChange'> & { name: 'date' | 'time'; label: string };

function WhenField({ name, label, when, problems, onChange }: FieldProps) {
  return (
    <TextInput
      type={name}
      name={name}
      label={label}
      value={when[name]}
      error={problems[name]}
      required
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
}
