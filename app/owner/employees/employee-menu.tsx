'use client';

import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import {
  KeyRound,
  Link2,
  LogOut,
  type LucideIcon,
  MoreHorizontal,
  Pencil,
  UserRoundCheck,
  UserRoundX,
} from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type EmployeeAction, EmployeeDialog } from '#app/owner/employees/employee-dialogs.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

type ActionEntry = { action: EmployeeAction; text: string; icon: LucideIcon; isDestructive?: boolean };

function useActions({ active, username, isOwner }: EmployeeSummary): ActionEntry[] {
  const t = useTranslations('employees');
  const actions: (ActionEntry | false)[] = [
    { action: 'edit', text: t('edit'), icon: Pencil },
    active && !isOwner && { action: 'invite', text: username ? t('reset') : t('invite'), icon: Link2 },
    active && !isOwner && username !== null && { action: 'makeOwner', text: t('makeOwner'), icon: KeyRound },
    active &&
      !isOwner &&
      username !== null && { action: 'signOut', text: t('signOut'), icon: LogOut, isDestructive: true },
    active
      ? { action: 'activity', text: t('deactivate'), icon: UserRoundX, isDestructive: true }
      : { action: 'activity', text: t('activate'), icon: UserRoundCheck },
  ];
  return actions.filter((entry) => entry !== false);
}

/** The menu with the actions on an employee, in their row of the table. */
export function EmployeeMenu({
  employee,
  onChoose,
}: {
  employee: EmployeeSummary;
  onChoose: (action: EmployeeAction) => void;
}) {
  const t = useTranslations('employees');
  const actions = useActions(employee);
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsNamed', { name: employee.name })}>
          <MoreHorizontal aria-hidden size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ action, text, icon: Icon, isDestructive }) => (
          <Menu.Item
            key={action}
            mih={44}
            color={isDestructive ? 'red' : undefined}
            leftSection={<Icon aria-hidden size={18} />}
            onClick={() => onChoose(action)}
          >
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The actions on an employee as buttons, on their page. */
export function EmployeeButtons({ employee, company }: { employee: EmployeeSummary; company: string }) {
  const [action, setAction] = useState<EmployeeAction>();
  const actions = useActions(employee);
  return (
    <>
      <Group gap="xs">
        {actions.map(({ action: name, text, icon: Icon, isDestructive }) => (
          <Button
            key={name}
            variant={isDestructive ? 'light' : 'default'}
            color={isDestructive ? 'red' : undefined}
            leftSection={<Icon aria-hidden size={18} />}
            onClick={() => setAction(name)}
          >
            {text}
          </Button>
        ))}
      </Group>
      {action && (
        <EmployeeDialog action={action} employee={employee} company={company} onClose={() => setAction(undefined)} />
      )}
    </>
  );
}
