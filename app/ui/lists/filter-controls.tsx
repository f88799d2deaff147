import { ActionIcon, Box, NativeSelect, TextInput } from '@mantine/core';
import { Calendar } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { asIsoDay, asWrittenDay, type DaysQuery, dayPresets } from '#app/ui/lists/days.ts';

export type FilterChoice = { value: string; label: string };
type FilterChoices = (FilterChoice | { group: string; items: FilterChoice[] })[];

/**
 * A filter of a list. `days` has the parameters `days`, `from` and `to`. `own` has a control of its
 * own with a field of this name, and `text` is its value on a chip. `unset` is the text of no choice.
 */
export type Filter =
  | { type: 'select'; name: string; label: string; value?: string | number; choices: FilterChoices; unset?: string }
  | { type: 'days'; label: string; value: DaysQuery }
  | { type: 'own'; name: string; label: string; value?: string | number; text: string; control: ReactNode };

export function FilterField({ filter }: { filter: Filter }) {
  if (filter.type === 'days') return <DaysField {...filter} />;
  return filter.type === 'own' ? filter.control : <Select {...filter} />;
}

// The first choice filters nothing. Its text names the filter, because there is no room for a label.
function Select({ name, label, value, choices, unset }: Extract<Filter, { type: 'select' }>) {
  const t = useTranslations('filter');
  return (
    <NativeSelect
      size="sm"
      name={name}
      aria-label={label}
      defaultValue={value}
      data-on={value !== undefined || undefined}
      data={[{ value: '', label: t('none', { label, any: unset ?? t('any') }) }, ...choices]}
    />
  );
}

function DaysField({ label, value: { days, from, to } }: Extract<Filter, { type: 'days' }>) {
  const t = useTranslations('filter');
  const isRange = from !== undefined || to !== undefined;
  const initial = days ?? (isRange ? 'range' : '');
  const [chosen, setChosen] = useState<string>(initial);
  const field = useRef<HTMLSelectElement>(null);
  // A person may have chosen before this page ran its scripts.
  useEffect(() => setChosen(field.current?.value ?? ''), []);
  return (
    <>
      <NativeSelect
        ref={field}
        size="sm"
        name="days"
        aria-label={label}
        defaultValue={initial}
        data-on={days !== undefined || isRange || undefined}
        onChange={({ target }) => setChosen(target.value)}
        data={[
          { value: '', label: t('none', { label, any: t('any') }) },
          ...[...dayPresets, 'range' as const].map((preset) => ({ value: preset, label: t(`days.${preset}`) })),
        ]}
      />
      {chosen === 'range' && (
        <>
          <DayInput name="from" label={t('from')} value={from} />
          <DayInput name="to" label={t('to')} value={to} />
        </>
      )}
    </>
  );
}

// The browser's own field for a day has the order of the browser's language. This one has the
// Indonesian order always; the browser's calendar fills it.
function DayInput({ name, label, value }: { name: string; label: string; value: string | undefined }) {
  const t = useTranslations('filter');
  const field = useRef<HTMLInputElement>(null);
  const calendar = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState(false);
  const apply = useContext(ApplyFilters);
  const take = (iso: string) => {
    if (!field.current || iso === '') return;
    field.current.value = asWrittenDay(iso);
    setWrong(false);
    apply();
  };
  return (
    <Box pos="relative" w={210}>
      <TextInput
        ref={field}
        size="sm"
        name={name}
        aria-label={label}
        leftSection={label}
        leftSectionWidth={72}
        defaultValue={value && asWrittenDay(value)}
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('dayHint')}
        error={wrong}
        onBlur={({ target }) => setWrong(target.value.trim() !== '' && asIsoDay(target.value) === null)}
        rightSectionWidth={44}
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('calendarOf', { label })}
            onClick={() => openCalendar(calendar.current)}
          >
            <Calendar />
          </ActionIcon>
        }
      />
      {/* Under its button, where the browser opens its calendar. */}
      <Box
        component="input"
        ref={calendar}
        type="date"
        pos="absolute"
        right={0}
        bottom={0}
        w={1}
        h={1}
        p={0}
        bd={0}
        opacity={0}
        style={{ pointerEvents: 'none' }}
        tabIndex={-1}
        aria-hidden
        defaultValue={value}
        onChange={(event) => {
          event.stopPropagation();
          take(event.target.value);
        }}
      />
    </Box>
  );
}

// Safari before 16 has no `showPicker`. There people type the day.
function openCalendar(input: HTMLInputElement | null): void {
  try {
    input?.showPicker();
  } catch {}
}

/** Applies the filters around. A control that is no field of the browser calls it after a change. */
export const ApplyFilters = createContext<() => void>(() => {});
