'use client';

import { Badge, Button, Group, Table } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type EmployeeAction, EmployeeDialog } from '#app/owner/employees/employee-dialogs.tsx';
import { EmployeeMenu } from '#app/owner/employees/employee-menu.tsx';
import { AccountState, PortalState } from '#app/owner/employees/portal-state.tsx';
import { TableHead } from '#app/ui/lists/table-head.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

/** The table of employees with the actions on each. */
export function EmployeeTable({ employees, company }: { employees: EmployeeSummary[]; company: string }) {
  const t = useTranslations('employees');
  const [chosen, setChosen] = useState<{ action: EmployeeAction; employee: EmployeeSummary }>();
  return (
    <>
      <Table className="rows" verticalSpacing="xs">
        <TableHead columns={[t('id'), t('name'), t('role'), t('state'), t('account'), t('portal'), t('actions')]} />
        <Table.Tbody>
          {employees.map((employee) => (
            <EmployeeRow key={employee.id} employee={employee} onChoose={(action) => setChosen({ action, employee })} />
          ))}
        </Table.Tbody>
      </Table>
      {chosen && <EmployeeDialog {...chosen} company={company} onClose={() => setChosen(undefined)} />}
    </>
  );
}

function EmployeeRow({
  employee,
  onChoose,
}: {
  employee: EmployeeSummary;
  onChoose: (action: EmployeeAction) => void;
}) {
  const t = useTranslations('employees');
  const { id, name, role, active, username, invitedUntil } = employee;
  return (
    <Table.Tr data-employee={id}>
      <Table.Td data-label={t('id')}>{id}</Table.Td>
      <Table.Td data-label={t('name')} className="written">
        <TextLink href={`/owner/employees/${id}`} fw={600}>
          <bdi>{name}</bdi>
        </TextLink>
      </Table.Td>
      <Table.Td data-label={t('role')} className="written">
        <bdi>{role}</bdi>
      </Table.Td>
      <Table.Td data-label={t('state')}>
        <Badge color={active ? 'green' : 'gray'}>{active ? t('active') : t('inactive')}</Badge>
      </Table.Td>
      <Table.Td data-label={t('account')} className="aside">
        <AccountState employee={employee} />
      </Table.Td>
      <Table.Td data-label={t('portal')} className="aside">
        <PortalState employee={employee} />
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          {active && !username && !invitedUntil && (
            <Button variant="light" aria-label={t('inviteNamed', { name })} onClick={() => onChoose('invite')}>
              {t('invite')}
            </Button>
          )}
          <EmployeeMenu employee={employee} onChoose={onChoose} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
