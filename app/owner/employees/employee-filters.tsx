'use client';

import { useTranslations } from 'next-intl';
import { employeeChoices } from '#app/owner/employees/employee-choices.ts';
import type { EmployeeQuery } from '#app/owner/employees/employee-query.ts';
import { useSearchKey } from '#app/owner/employees/search-key.ts';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';

/** The filters of the employee list. The slash key moves the focus to the search field. */
export function EmployeeFilters({ query }: { query: EmployeeQuery }) {
  const t = useTranslations('employees');
  const [searchKey] = useSearchKey();
  return (
    <FilterBar
      search={{
        name: 'q',
        label: t('search'),
        placeholder: t('searchHint'),
        value: query.q,
        shortcut: searchKey ? '/' : undefined,
      }}
      filters={[
        {
          type: 'select',
          name: 'state',
          label: t('state'),
          value: query.state,
          choices: employeeChoices.state.map((value) => ({ value, label: t(value) })),
        },
        {
          type: 'select',
          name: 'account',
          label: t('account'),
          value: query.account,
          choices: employeeChoices.account.map((value) => ({ value, label: t(`accounts.${value}`) })),
        },
        {
          type: 'select',
          name: 'portal',
          label: t('portal'),
          value: query.portal,
          choices: employeeChoices.portal.map((value) => ({ value, label: t(`portals.${value}`) })),
        },
      ]}
      keep={{ ids: query.ids?.join(',') }}
    />
  );
}
