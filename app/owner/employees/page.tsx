import { Group } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AddEmployee, AddMe } from '#app/owner/employees/add-employee.tsx';
import { EmployeeTable } from '#app/owner/employees/employee-table.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { listEmployees } from '#server/employees.ts';
import { requireOwner, requireSession } from '#server/require.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('employees'))('title') };
}

export default async function Employees() {
  const owner = await requireOwner('/owner/employees');
  const { employee } = await requireSession();
  const t = await getTranslations('employees');
  const employees = await listEmployees(owner);
  const amListed = employee !== null || employees.some(({ isOwner }) => isOwner);
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <Group gap="xs">
          {!amListed && <AddMe />}
          <AddEmployee />
        </Group>
      </PageHead>
      <EmployeeTable employees={employees} company={owner.companyName} />
    </>
  );
}
