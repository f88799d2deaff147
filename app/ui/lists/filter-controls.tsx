import { Calendar } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { createContext, type ReactNode, useContext, useId, useRef, useState } from 'react';
import { maxSearchLength } from '#app/ui/lists/address.ts';
import { asIsoDay, asWrittenDay, type DaysQuery, dayPresets } from '#app/ui/lists/days.ts';

export type FilterChoice = { value: string; label: string };
type FilterChoices = (FilterChoice | { group: string; items: FilterChoice[] })[];

/**
 * A filter of a list. `days` has the parameters `days`, `from` and `to`. `own` has a control of its
 * own with a field of this name, and `text` is its value on a chip. `unset` is what no choice means.
 */
export type Filter =
  | { type: 'select'; name: string; label: string; value?: string | number; choices: FilterChoices; unset?: string }
  | { type: 'text'; name: string; label: string; value?: string | number; placeholder?: string }
  | { type: 'days'; label: string; value: DaysQuery }
  | { type: 'own'; name: string; label: string; value?: string | number; text: string; control: ReactNode };

export function FilterField({ filter }: { filter: Filter }) {
  const id = useId();
  if (filter.type === 'days') return <DaysField {...filter} />;
  const isOn = filter.value !== undefined || undefined;
  if (filter.type === 'own')
    return (
      <div className="filter-field" data-on={isOn}>
        {filter.control}
      </div>
    );
  return (
    <div className="filter-field" data-on={isOn}>
      <label htmlFor={id}>{filter.label}</label>
      {filter.type === 'text' && <TextField id={id} {...filter} />}
      {filter.type === 'select' && <Select id={id} {...filter} />}
    </div>
  );
}

type ControlOf<Type> = Extract<Filter, { type: Type }> & { id: string };

function TextField({ id, name, value, placeholder }: ControlOf<'text'>) {
  return (
    <input
      id={id}
      name={name}
      defaultValue={value}
      placeholder={placeholder}
      maxLength={maxSearchLength}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function Select({ id, name, value, choices, unset }: ControlOf<'select'>) {
  const t = useTranslations('filter');
  return (
    <select id={id} name={name} defaultValue={value}>
      <option value="">{unset ?? t('any')}</option>
      {choices.map((choice) =>
        'group' in choice ? (
          <optgroup key={choice.group} label={choice.group}>
            {choice.items.map((item) => (
              <Option key={item.value} {...item} />
            ))}
          </optgroup>
        ) : (
          <Option key={choice.value} {...choice} />
        ),
      )}
    </select>
  );
}

const Option = ({ value, label }: FilterChoice) => <option value={value}>{label}</option>;

function DaysField({ label, value: { days, from, to } }: Extract<Filter, { type: 'days' }>) {
  const t = useTranslations('filter');
  const id = useId();
  const isRange = from !== undefined || to !== undefined;
  const [chosen, setChosen] = useState<string>(days ?? (isRange ? 'range' : ''));
  return (
    <>
      <div className="filter-field" data-on={days !== undefined || isRange || undefined}>
        <label htmlFor={id}>{label}</label>
        <select id={id} name="days" value={chosen} onChange={({ target }) => setChosen(target.value)}>
          <option value="">{t('any')}</option>
          {dayPresets.map((preset) => (
            <Option key={preset} value={preset} label={t(`days.${preset}`)} />
          ))}
          <option value="range">{t('days.range')}</option>
        </select>
      </div>
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
  const id = useId();
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
    <div className="filter-field filter-day" data-on={value !== undefined || undefined}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={field}
        id={id}
        name={name}
        defaultValue={value && asWrittenDay(value)}
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('dayHint')}
        aria-invalid={wrong || undefined}
        onBlur={({ target }) => setWrong(target.value.trim() !== '' && asIsoDay(target.value) === null)}
      />
      <input
        ref={calendar}
        type="date"
        className="filter-calendar"
        tabIndex={-1}
        aria-hidden
        defaultValue={value}
        onChange={(event) => {
          event.stopPropagation();
          take(event.target.value);
        }}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={t('calendarOf', { label })}
        onClick={() => openCalendar(calendar.current)}
      >
        <Calendar aria-hidden size={18} />
      </button>
    </div>
  );
}

// Safari before 16 has no `showPicker`. There the field is typed.
function openCalendar(input: HTMLInputElement | null): void {
  try {
    input?.showPicker();
  } catch {}
}

/**
 * Applies the filters of the filter bar around. A control that is no field of the browser calls it
 * after its value has changed.
 */
export const ApplyFilters = createContext<() => void>(() => {});
