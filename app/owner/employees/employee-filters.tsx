import { useTranslations } from 'next-intl';
import { type EmployeeQuery, employeeChoices } from '#app/owner/employees/employee-query.ts';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';

/** The filters of the employee list. */
export function EmployeeFilters({ query }: { query: EmployeeQuery }) {
  const t = useTranslations('employees');
  const { state, account, portal, sort } = employeeChoices;
  const select = <Value extends string>(
    name: keyof typeof employeeChoices,
    values: readonly Value[],
    textOf: (value: Value) => string,
  ) => ({
    type: 'select' as const,
    name,
    label: t(name),
    value: query[name],
    choices: values.map((value) => ({ value, label: textOf(value) })),
  });
  return (
    <FilterBar
      search={{
        name: 'q',
        label: t('search'),
        placeholder: t('searchHint'),
        value: query.q,
      }}
      filters={[
        select('state', state, (value) => t(value)),
        select('account', account, (value) => t(`accounts.${value}`)),
        select('portal', portal, (value) => t(`portals.${value}`)),
        { ...select('sort', sort, (value) => t(`sorts.${value}`)), unset: t('sorts.name') },
      ]}
    />
  );
}
