'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { employeeChoices } from '#app/owner/employees/employee-choices.ts';
import type { EmployeeQuery } from '#app/owner/employees/employee-query.ts';
import { useSearchKey } from '#app/owner/employees/search-key.ts';
import { hasFilter } from '#app/ui/lists/address.ts';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';

// Two fields per line on a phone, all fields in one line on a computer.
const narrow = { flex: '1 1 140px' };

/** The filter form of the employee list. The slash key moves the focus to the search field. */
export function EmployeeFilters({ query }: { query: EmployeeQuery }) {
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
    <FilterForm key={JSON.stringify(query)} filtered={hasFilter(query)}>
      <TextInput
        ref={search}
        type="search"
        name="q"
        label={t('search')}
        placeholder={t('searchHint')}
        defaultValue={query.q}
        maxLength={120}
        autoComplete="off"
        aria-keyshortcuts={searchKey ? '/' : undefined}
        style={{ flex: '2 1 240px' }}
      />
      <NativeSelect
        name="state"
        label={t('state')}
        style={narrow}
        defaultValue={query.state}
        data={options(employeeChoices.state, (name) => t(name))}
      />
      <NativeSelect
        name="account"
        label={t('account')}
        style={narrow}
        defaultValue={query.account}
        data={options(employeeChoices.account, (name) => t(`accounts.${name}`))}
      />
      <NativeSelect
        name="portal"
        label={t('portal')}
        style={narrow}
        defaultValue={query.portal}
        data={options(employeeChoices.portal, (name) => t(`portals.${name}`))}
      />
    </FilterForm>
  );
}
