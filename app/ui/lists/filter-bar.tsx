'use client';

import '#app/ui/lists/lists.css';
import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Search, SlidersHorizontal, X } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState, useTransition } from 'react';
import { addressOf, maxSearchLength } from '#app/ui/lists/address.ts';
import { asIsoDay, asWrittenDay } from '#app/ui/lists/days.ts';
import { ApplyFilters, type Filter, FilterField } from '#app/ui/lists/filter-controls.tsx';
import { PageLink } from '#app/ui/text/links.tsx';

const typingMs = 250;

/** The field of a filter bar that is always shown, for words to search for. */
export type FilterSearch = { name: string; label: string; value?: string | number; placeholder?: string };

type Query = Record<string, string>;
type Kept = Record<string, string | number | undefined>;
type Props = { search?: FilterSearch; filters?: Filter[]; keep?: Kept };

/**
 * The filters of a list. They act on change, words after 250 ms, and live in the address: reload,
 * back and sharing keep them. What is on stands below as chips, each a link that takes it off. On a
 * phone a button shows the filters. `keep` are parameters that stay.
 */
export function FilterBar({ search, filters = [], keep = {} }: Props) {
  const t = useTranslations('filter');
  const path = usePathname();
  const bar = useRef<HTMLElement>(null);
  const [opened, { toggle }] = useDisclosure();
  const more = useId();
  const query = queryOf(search, filters);
  const { form, fields, pending, change, apply } = useFiltersInAddress(path, query, keep);
  const chips = chipsOf(search, filters, query, t);
  const chip = (href: string, text: string, label?: string) => (
    <Button
      key={text}
      component={PageLink}
      href={href}
      scroll={false}
      variant={label ? 'light' : 'transparent'}
      size="compact-sm"
      mih={{ base: 44, sm: 32 }}
      radius="xl"
      maw="100%"
      className="wrapping"
      rightSection={label && <X size={14} />}
      aria-label={label}
      onClick={() => bar.current?.focus({ preventScroll: true })}
    >
      <bdi>{text}</bdi>
    </Button>
  );
  return (
    <search ref={bar} className="filter-bar" tabIndex={-1} aria-busy={pending} data-pending={pending || undefined}>
      <form
        ref={form}
        // A browser that filled in what was chosen before would choose it again.
        autoComplete="off"
        onChange={change}
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <ApplyFilters value={apply}>
          {search && (
            <div className="filter-search">
              <Search />
              <input
                key={fields}
                type="search"
                className="filter-input"
                name={search.name}
                aria-label={search.label}
                defaultValue={search.value}
                placeholder={search.placeholder ?? search.label}
                maxLength={maxSearchLength}
                autoComplete="off"
                enterKeyHint="search"
              />
            </div>
          )}
          {filters.length > 0 && (
            <>
              <Button
                variant="default"
                px="sm"
                hiddenFrom="sm"
                aria-expanded={opened}
                aria-controls={more}
                leftSection={<SlidersHorizontal />}
                onClick={toggle}
              >
                {t('sheet', { count: chips.length })}
              </Button>
              <div id={more} className="filter-fields" data-open={opened || undefined}>
                {filters.map((filter) => (
                  <FilterField key={`${fields} ${nameOf(filter)}`} filter={filter} />
                ))}
              </div>
            </>
          )}
        </ApplyFilters>
      </form>
      {chips.length > 0 && (
        <Group component="ul" gap={6} mt={8} className="plain-list" aria-label={t('chips')}>
          {chips.map(({ names, text }) => (
            <li key={text}>
              {chip(addressOf(path, { ...keep, ...query, ...off(names) }), text, t('remove', { text }))}
            </li>
          ))}
          {chips.length > 1 && <li>{chip(addressOf(path, keep), t('clear'))}</li>}
        </Group>
      )}
    </search>
  );
}

// Writes the form's values to the address. When the address changes by other means, such as back or
// a chip, `fields` changes: as a key it makes the fields anew, with the values of the address.
function useFiltersInAddress(path: string, query: Query, keep: Kept) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<number>(undefined);
  const [fields, setFields] = useState(0);
  const [pending, startTransition] = useTransition();
  const queryText = asText(query);
  // What a person chose before this page ran its scripts.
  const catchUp = useEffectEvent(() => [...(form.current?.elements ?? [])].some(isTouched) && schedule(false));
  useEffect(() => {
    catchUp();
    return () => clearTimeout(timer.current);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new address may overwrite the fields
  useEffect(() => {
    if (pending || timer.current !== undefined || !form.current) return;
    if (asText(readFilters(form.current, keep)) !== queryText) setFields((count) => count + 1);
  }, [queryText, pending]);
  const go = (typed: boolean) => {
    timer.current = undefined;
    if (!form.current) return;
    const chosen = readFilters(form.current, keep);
    if (asText(chosen) === queryText) return;
    const address = addressOf(path, { ...keep, ...chosen });
    // Typing makes one step of the history, not one for each pause.
    const step = typed && document.activeElement instanceof HTMLInputElement ? 'replace' : 'push';
    startTransition(() => router[step](address, { scroll: false }));
  };
  const schedule = (typed: boolean) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => go(typed), typed ? typingMs : 0);
  };
  const change = ({ target }: FormEvent<HTMLFormElement>) => {
    const field = target as unknown as HTMLInputElement | HTMLSelectElement;
    if (field.name !== '') schedule(field instanceof HTMLInputElement);
  };
  return { form, fields, pending, change, apply: () => schedule(false) };
}

function isTouched(field: Element): boolean {
  if (field instanceof HTMLInputElement) return field.value !== field.defaultValue;
  if (!(field instanceof HTMLSelectElement)) return false;
  const rendered = [...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0];
  return field.value !== rendered?.value;
}

const asText = (query: Query): string => JSON.stringify(Object.entries(query).sort());

const off = (names: string[]) => Object.fromEntries(names.map((name) => [name, undefined]));

const nameOf = (filter: Filter): string => (filter.type === 'days' ? 'days' : filter.name);

// The values of a form as an address has them. Days that are not whole yet are left out.
function readFilters(form: HTMLFormElement, keep: object): Query {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
  const days = entries.find(([name]) => name === 'days')?.[1];
  const read = entries.map(([name, text]) => {
    if (name === 'from' || name === 'to') return [name, days === 'range' ? (asIsoDay(text) ?? '') : ''];
    return [name, name === 'days' && text === 'range' ? '' : text];
  });
  return Object.fromEntries(read.filter(([name, text]) => text !== '' && !(String(name) in keep)));
}

function queryOf(search: FilterSearch | undefined, filters: Filter[]): Query {
  const entries = filters.flatMap((filter) =>
    filter.type === 'days' ? Object.entries(filter.value) : [[filter.name, filter.value] as const],
  );
  const all = [...(search ? [[search.name, search.value] as const] : []), ...entries];
  return Object.fromEntries(
    all.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]),
  );
}

type Chip = { names: string[]; text: string };
type Texts = ReturnType<typeof useTranslations<'filter'>>;

function chipsOf(search: FilterSearch | undefined, filters: Filter[], query: Query, t: Texts): Chip[] {
  const words = search?.value === undefined ? [] : [{ names: [search.name], text: `“${search.value}”` }];
  const others = filters.map((filter): Chip => {
    if (filter.type !== 'days') return { names: [filter.name], text: `${filter.label}: ${textOf(filter)}` };
    const { days, from, to } = filter.value;
    const range = { from: from ? asWrittenDay(from) : '…', to: to ? asWrittenDay(to) : '…' };
    return { names: ['days', 'from', 'to'], text: days ? t(`days.${days}`) : t('range', range) };
  });
  return [...words, ...others].filter(({ names }) => names.some((name) => query[name] !== undefined));
}

function textOf(filter: Exclude<Filter, { type: 'days' }>): string {
  if (filter.type === 'link') return filter.text;
  const choices = filter.choices.flatMap((choice) => ('group' in choice ? choice.items : [choice]));
  return choices.find(({ value }) => value === String(filter.value))?.label ?? String(filter.value);
}
