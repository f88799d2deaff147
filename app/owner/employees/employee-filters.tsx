'use client';

import { useHotkeys } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { employeeChoices } from '#app/owner/employees/employee-choices.ts';
import type { EmployeeQuery } from '#app/owner/employees/employee-query.ts';
import { useSearchKey } from '#app/owner/employees/search-key.ts';
import { hasFilter } from '#app/ui/lists/address.ts';
import { FilterSearch, FilterSelect } from '#app/ui/lists/filter-fields.tsx';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';

// Two fields per line on a phone, all fields in one line on a computer.
const narrow = { flex: '1 1 140px' };

/** The filter form of the employee list. The slash key moves the focus to the search field. */
export function EmployeeFilters({ query }: { query: EmployeeQuery }) {
  const t = useTranslations('employees');
  const search = useRef<HTMLInputElement>(null);
  const [searchKey] = useSearchKey();
  useHotkeys(searchKey ? [['/', () => search.current?.focus()]] : []);
  return (
    <FilterForm key={JSON.stringify(query)} filtered={hasFilter(query)}>
      <FilterSearch
        ref={search}
        name="q"
        label={t('search')}
        placeholder={t('searchHint')}
        defaultValue={query.q}
        autoComplete="off"
        aria-keyshortcuts={searchKey ? '/' : undefined}
        style={{ flex: '2 1 240px' }}
      />
      <FilterSelect
        name="state"
        label={t('state')}
        style={narrow}
        defaultValue={query.state}
        choices={employeeChoices.state.map((value) => ({ value, label: t(value) }))}
      />
      <FilterSelect
        name="account"
        label={t('account')}
        style={narrow}
        defaultValue={query.account}
        choices={employeeChoices.account.map((value) => ({ value, label: t(`accounts.${value}`) }))}
      />
      <FilterSelect
        name="portal"
        label={t('portal')}
        style={narrow}
        defaultValue={query.portal}
        choices={employeeChoices.portal.map((value) => ({ value, label: t(`portals.${value}`) }))}
      />
    </FilterForm>
  );
}
