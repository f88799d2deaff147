import '#app/ui/forms/controls.css';
import { Chip, Group, Input, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { use, useState } from 'react';
import { planMessageAction } from '#app/owner/sends/actions.ts';
import type { DraftInput } from '#app/owner/sends/draft-input.ts';
import { usePlanText } from '#app/owner/sends/when/plan-text.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { FormProblems } from '#app/ui/forms/form-values.ts';
import { type Sentences, useAction } from '#app/ui/forms/use-action.ts';
import { type Recurrence, recurrences } from '#server/sends/planned/recurrences.ts';

/** When a notification leaves, as its form has it. Dates and times are in the company's zone. */
export type When = {
  mode: 'now' | 'later' | 'repeat';
  date: string;
  time: string;
  every: Recurrence;
  weekdays: number[];
  monthDay: number;
  endsOn: string;
};

const isComplete = ({ date, time, every, weekdays }: When) =>
  date !== '' && time !== '' && (every !== 'week' || weekdays.length > 0);

type FieldsProps = { when: When; onChange: (changes: Partial<When>) => void };

const modes = ['now', 'later', 'repeat'] as const;

type Props = FieldsProps & { text: ReturnType<typeof usePlanText>; said: string; isChange: boolean };

function WhenFields({ text, said, isChange, ...fields }: Props) {
  const { when, onChange } = fields;
  const t = useTranslations('planned');
  return (
    <Stack gap="sm" data-when={when.mode}>
      {!isChange && (
        <Input.Wrapper label={t('when')} labelElement="div" labelProps={{ id: 'when-label' }}>
          <Chip.Group value={when.mode} onChange={(mode) => onChange({ mode: modes.find((name) => name === mode) })}>
            <Group gap={6} mt={6} role="radiogroup" aria-labelledby="when-label">
              {modes.map((mode) => (
                <Chip key={mode} value={mode}>
                  {t(`mode.${mode}`)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
      )}
      {when.mode === 'later' && (
        <SimpleGrid cols={2} spacing="sm">
          <WhenField name="date" label={t('date')} {...fields} />
          <WhenField name="time" label={t('time', { zone: text.zone })} {...fields} />
        </SimpleGrid>
      )}
      {when.mode === 'repeat' && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <NativeSelect
              label={t('every')}
              value={when.every}
              data={recurrences.map((recurrence) => ({ value: recurrence, label: t(`recurrence.${recurrence}`) }))}
              onChange={({ currentTarget }) =>
                onChange({ every: recurrences.find((recurrence) => recurrence === currentTarget.value) })
              }
            />
            <WhenField name="time" label={t('time', { zone: text.zone })} {...fields} />
          </SimpleGrid>
          {when.every === 'week' && (
            <Input.Wrapper error={use(FormProblems).weekdays}>
              <Chip.Group
                multiple
                value={when.weekdays.map(String)}
                onChange={(days) => onChange({ weekdays: days.map(Number).sort() })}
              >
                <Group gap={6} aria-label={t('weekdays')} role="group">
                  {[1, 2, 3, 4, 5, 6, 7].map((day) => (
                    <Chip key={day} value={String(day)}>
                      {text.weekday(day, 'short')}
                    </Chip>
                  ))}
                </Group>
              </Chip.Group>
            </Input.Wrapper>
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
            <WhenField name="date" label={t('from')} {...fields} />
            <WhenField name="endsOn" label={t('endsOn')} {...fields} />
          </SimpleGrid>
        </>
      )}
      {when.mode !== 'now' && isComplete(when) && (
        <Text size="sm" fw={600} role="status" data-plan-sentence>
          {when.mode === 'later'
            ? t('leaves', { when: said })
            : t('repeats', { when: said, until: text.until(when.endsOn || null) })}
        </Text>
      )}
    </Stack>
  );
}

type FieldProps = FieldsProps & { name: 'date' | 'time' | 'endsOn'; label: string };

function WhenField({ name, label, when, onChange }: FieldProps) {
  return (
    <TextField
      type={name === 'time' ? 'time' : 'date'}
      name={name}
      label={label}
      value={when[name]}
      required={name !== 'endsOn'}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
}

/** What the form knows of the time: the zone, the first values, and which plan or rule it changes, if any. */
export type Planning = { timeZone: string; initial: When; changes?: { plan?: string; rule?: number } };

/**
 * The part of the form that plans a send. `asOption` has its fields. `submit` plans what the form says, or returns false
 * when it is to be sent now. `label` is the text of the button. `onPlanned` is called before the planned sends open.
 */
export function usePlanning(planning: Planning, sentences: Sentences, onPlanned: () => void) {
  const { timeZone, initial, changes } = planning;
  const t = useTranslations('planned');
  const router = useRouter();
  const [when, setWhen] = useState(initial);
  const follow = () => {
    onPlanned();
    router.push('/owner/sends/planned');
  };
  const { run, pending, problems, clear } = useAction(planMessageAction, follow, sentences);
  const submit = (input: DraftInput): boolean => {
    const { mode, date, time, every, weekdays, monthDay, endsOn } = when;
    if (mode === 'now') return false;
    const schedule = { every, weekdays, monthDay, time, startsOn: date, endsOn: endsOn || null };
    const { plan = null, rule = null } = changes ?? {};
    void run({ ...input, planning: mode === 'later' ? { date, time, plan } : { schedule, rule } });
    return true;
  };
  const text = usePlanText(timeZone);
  const onChange = (changed: Partial<When>) => {
    clear();
    setWhen((now) => ({ ...now, ...changed }));
  };
  const label = when.mode === 'now' ? null : changes ? t('save') : t(when.mode === 'later' ? 'plan' : 'makeRule');
  const says = {
    now: () => t('now'),
    later: () => text.moment(when.date, when.time),
    repeat: () => text.schedule({ ...when, startsOn: when.date, endsOn: null }),
  };
  const said = isComplete(when) ? says[when.mode]() : t(`mode.${when.mode}`);
  const asOption = {
    text: said,
    fields: <WhenFields {...{ when, text, said, onChange }} isChange={changes !== undefined} />,
    hasProblem: Object.keys(problems).some((name) => name !== 'form'),
  };
  return { when, restore: setWhen, asOption, submit, label, problems, pending };
}
