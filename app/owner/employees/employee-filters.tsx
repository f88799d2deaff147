'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { useSearchKey } from '#app/owner/employees/search-key.ts';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';
import type { EmployeeFilter } from '#server/employees/employee-list.ts';

// Two beside each other on a phone, all in one line on a computer.
const narrow = { flex: '1 1 140px' };

/** Search and filters of the list of employees; the slash key leads to the search. */
export function EmployeeFilters({ filter, filtered }: { filter: EmployeeFilter; filtered: boolean }) {
  const t = useTranslations('employees');
  const shared = useTranslations('filter');
  const search = useRef<HTMLInputElement>(null);
  const [searchKey] = useSearchKey();
  useHotkeys(searchKey ? [['/', () => search.current?.focus()]] : []);
  const options = <Name extends string>(names: readonly Name[], label: (name: Name) => string) => [
    { value: '', label: shared('any') },
    ...names.map((name) => ({ value: name, label: label(name) })),
  ];
  return (
    <FilterForm key={JSON.stringify(filter)} filtered={filtered}>
      <TextInput
        ref={search}
        type="search"
        name="q"
        label={t('search')}
        placeholder={t('searchHint')}
        defaultValue={filter.search}
        maxLength={120}
        autoComplete="off"
        aria-keyshortcuts={searchKey ? '/' : undefined}
        style={{ flex: '2 1 240px' }}
      />
      <NativeSelect
        name="state"
        label={t('state')}
        style={narrow}
        defaultValue={filter.state}
        data={options(['active', 'inactive'] as const, (name) => t(name))}
      />
      <NativeSelect
        name="account"
        label={t('account')}
        style={narrow}
        defaultValue={filter.account}
        data={options(['own', 'none', 'uninvited', 'invited'] as const, (name) => t(`accounts.${name}`))}
      />
      <NativeSelect
        name="portal"
        label={t('portal')}
        style={narrow}
        defaultValue={filter.portal}
        data={options(['never', 'away', 'silent'] as const, (name) => t(`portals.${name}`))}
      />
    </FilterForm>
  );
}
