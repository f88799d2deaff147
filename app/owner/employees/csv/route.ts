import { getTranslations } from 'next-intl/server';
import { asEmployeeFilter, employeeQuery } from '#app/owner/employees/employee-query.ts';
import { type CsvColumn, csvDownload } from '#app/responses/download.ts';
import { readQuery } from '#app/ui/lists/list-query.ts';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { type EmployeeSummary, iterateEmployees } from '#server/employees/employee-list.ts';

export async function GET(request: Request): Promise<Response> {
  const manager = await requireManager('/owner/employees');
  const filter = asEmployeeFilter(readQuery(employeeQuery, new URL(request.url).searchParams));
  const t = await getTranslations('employees');
  const columns: CsvColumn<EmployeeSummary>[] = [
    { heading: t('id'), cellOf: ({ id }) => id },
    { heading: t('name'), cellOf: ({ name }) => name },
    { heading: t('role'), cellOf: ({ role }) => role },
    { heading: t('state'), cellOf: ({ active }) => (active ? t('active') : t('inactive')) },
    { heading: t('account'), cellOf: ({ username }) => username },
    { heading: t('invitedUntil'), cellOf: ({ invitedUntil }) => invitedUntil },
    { heading: t('seen'), cellOf: ({ portal }) => portal?.seenAt ?? null },
    { heading: t('soundColumn'), cellOf: ({ portal }) => (portal?.sound ? t(`sound.${portal.sound}`) : null) },
    { heading: t('devicesColumn'), cellOf: ({ devices }) => devices },
    { heading: t('addedAt'), cellOf: ({ addedAt }) => addedAt },
    // Last, so that the columns of earlier files stay where they were.
    { heading: t('staffNumber'), cellOf: ({ staffNumber }) => staffNumber },
  ];
  return csvDownload(manager, 'employees', columns, iterateEmployees(manager, filter));
}
