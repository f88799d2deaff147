'use client';

import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { Users } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ActivityDialog, EditDialog, InviteDialog } from '#app/owner/employees/employee-dialogs.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { TimeAgo } from '#app/ui/time-ago.tsx';
import type { EmployeeSummary } from '#server/employees.ts';

type Doing = { what: 'edit' | 'activity' | 'invite'; employee: EmployeeSummary };

/** The company's employees and what can be done with each. */
export function EmployeeTable({ employees, company }: { employees: EmployeeSummary[]; company: string }) {
  const t = useTranslations('employees');
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  if (employees.length === 0)
    return <EmptyState icon={<Users aria-hidden size={32} />} title={t('empty')} text={t('emptyText')} />;
  return (
    <>
      <Table className="rows" verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('id')}</Table.Th>
            <Table.Th scope="col">{t('name')}</Table.Th>
            <Table.Th scope="col">{t('role')}</Table.Th>
            <Table.Th scope="col">{t('state')}</Table.Th>
            <Table.Th scope="col">{t('account')}</Table.Th>
            <Table.Th scope="col">{t('portal')}</Table.Th>
            <Table.Th scope="col">{t('actions')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {employees.map((employee) => (
            <EmployeeRow key={employee.id} employee={employee} onDo={(what) => setDoing({ what, employee })} />
          ))}
        </Table.Tbody>
      </Table>
      {doing?.what === 'edit' && <EditDialog employee={doing.employee} onClose={close} />}
      {doing?.what === 'activity' && <ActivityDialog employee={doing.employee} onClose={close} />}
      {doing?.what === 'invite' && <InviteDialog employee={doing.employee} company={company} onClose={close} />}
    </>
  );
}

function EmployeeRow({ employee, onDo }: { employee: EmployeeSummary; onDo: (what: Doing['what']) => void }) {
  const t = useTranslations('employees');
  const { id, name, role, active, username, isOwner } = employee;
  return (
    <Table.Tr data-employee={id}>
      <Table.Td data-label={t('id')}>{id}</Table.Td>
      <Table.Td data-label={t('name')}>
        <Text component="bdi" fw={600}>
          {name}
        </Text>
      </Table.Td>
      <Table.Td data-label={t('role')}>
        <bdi>{role}</bdi>
      </Table.Td>
      <Table.Td data-label={t('state')}>
        <Badge color={active ? 'green' : 'gray'}>{active ? t('active') : t('inactive')}</Badge>
      </Table.Td>
      <Table.Td data-label={t('account')}>
        {username ? (
          <bdi>{username}</bdi>
        ) : (
          <Text component="span" c="dimmed">
            {t('noAccount')}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label={t('portal')}>
        <PortalCell employee={employee} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          <Button variant="default" aria-label={t('editNamed', { name })} onClick={() => onDo('edit')}>
            {t('edit')}
          </Button>
          {active && !isOwner && (
            <Button
              variant={username ? 'default' : 'light'}
              aria-label={username ? t('resetNamed', { name }) : t('inviteNamed', { name })}
              onClick={() => onDo('invite')}
            >
              {username ? t('reset') : t('invite')}
            </Button>
          )}
          <Button
            variant={active ? 'light' : 'default'}
            color={active ? 'red' : undefined}
            aria-label={active ? t('deactivateNamed', { name }) : t('activateNamed', { name })}
            onClick={() => onDo('activity')}
          >
            {active ? t('deactivate') : t('activate')}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** When the person's portal was last open, whether it could ring there, and whether a device of theirs takes notifications. */
function PortalCell({ employee: { portal, devices } }: { employee: EmployeeSummary }) {
  const t = useTranslations('employees');
  return (
    <Stack gap={2} display="inline-flex">
      {portal ? (
        <>
          <Text component="span" size="sm">
            {t('seen')} <TimeAgo at={portal.seenAt} />
          </Text>
          {portal.sound && (
            <Badge size="md" color={portal.sound === 'on' ? 'green' : portal.sound === 'muted' ? 'gray' : 'yellow'}>
              {t(`sound.${portal.sound}`)}
            </Badge>
          )}
        </>
      ) : (
        <Text component="span" size="sm" c="dimmed">
          {t('neverSeen')}
        </Text>
      )}
      {devices > 0 && (
        <Badge size="md" color="green">
          {t('devices', { count: devices })}
        </Badge>
      )}
    </Stack>
  );
}
