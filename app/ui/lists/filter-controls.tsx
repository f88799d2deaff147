import { Calendar } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ComponentProps, createContext, useContext, useEffect, useRef, useState } from 'react';
import { asIsoDay, asWrittenDay, type DaysQuery, dayPresets } from '#app/ui/lists/days.ts';

export type FilterChoice = { value: string; label: string };
type FilterChoices = (FilterChoice | { group: string; items: FilterChoice[] })[];

/** A filter of a list. A `link` is set by links only; its chip shows `text`. `unset` is the text of no choice. */
export type Filter =
  | { type: 'select'; name: string; label: string; value?: string | number; choices: FilterChoices; unset?: string }
  | { type: 'days'; label: string; value: DaysQuery }
  | { type: 'link'; name: string; label: string; value?: string | number; text: string };

export function FilterField({ filter }: { filter: Filter }) {
  if (filter.type === 'days') return <DaysField {...filter} />;
  if (filter.type === 'select') return <Select {...filter} />;
  return filter.value !== undefined && <input type="hidden" name={filter.name} value={filter.value} />;
}

type SelectProps = Omit<Extract<Filter, { type: 'select' }>, 'type'> &
  Pick<ComponentProps<'select'>, 'ref' | 'onChange'>;

// The first choice filters nothing. Its text names the filter, because there is no room for a label.
function Select({ name, label, value, choices, unset, ref, onChange }: SelectProps) {
  const t = useTranslations('filter');
  return (
    <select
      ref={ref}
      className="filter-input"
      name={name}
      aria-label={label}
      defaultValue={value}
      data-on={value !== undefined || undefined}
      onChange={onChange}
    >
      <option value="">{t('none', { label, any: unset ?? t('any') })}</option>
      {choices.map((choice) =>
        'group' in choice ? (
          <optgroup key={choice.group} label={choice.group}>
            {choice.items.map(asOption)}
          </optgroup>
        ) : (
          asOption(choice)
        ),
      )}
    </select>
  );
}

const asOption = ({ value, label }: FilterChoice) => (
  <option key={value} value={value}>
    {label}
  </option>
);

function DaysField({ label, value: { days, from, to } }: Extract<Filter, { type: 'days' }>) {
  const t = useTranslations('filter');
  const initial = days ?? (from !== undefined || to !== undefined ? 'range' : undefined);
  const [chosen, setChosen] = useState<string | undefined>(initial);
  const field = useRef<HTMLSelectElement>(null);
  // A person may have chosen before this page ran its scripts.
  useEffect(() => setChosen(field.current?.value), []);
  return (
    <>
      <Select
        ref={field}
        name="days"
        label={label}
        value={initial}
        choices={[...dayPresets, 'range' as const].map((preset) => ({ value: preset, label: t(`days.${preset}`) }))}
        onChange={({ target }) => setChosen(target.value)}
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
    <div className="filter-day">
      <span aria-hidden>{label}</span>
      <input
        ref={field}
        className="filter-input"
        name={name}
        aria-label={label}
        aria-invalid={wrong || undefined}
        defaultValue={value && asWrittenDay(value)}
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('dayHint')}
        onBlur={({ target }) => setWrong(target.value.trim() !== '' && asIsoDay(target.value) === null)}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={t('calendarOf', { label })}
        onClick={() => openCalendar(calendar.current)}
      >
        <Calendar />
      </button>
      {/* Under its button, where the browser opens its calendar. */}
      <input
        ref={calendar}
        type="date"
        tabIndex={-1}
        aria-hidden
        defaultValue={value}
        onChange={(event) => {
          event.stopPropagation();
          take(event.target.value);
        }}
      />
    </div>
  );
}

// Safari before 16 has no `showPicker`. There people type the day.
function openCalendar(input: HTMLInputElement | null): void {
  try {
    input?.showPicker();
  } catch {}
}

/** Applies the filters around. The field of a day calls it after a choice in its calendar. */
export const ApplyFilters = createContext<() => void>(() => {});
