'use client';

import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import {
  ClipboardList,
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

// Owners and managers get new passwords in the settings, and what a manager may not change has no actions.
function useActions(
  { active, username, isOwner, isManager, isProtected }: EmployeeSummary,
  byOwner: boolean,
): ActionEntry[] {
  const t = useTranslations('employees');
  if (isProtected) return [];
  const isInvitable = active && !isOwner && !isManager;
  const actions: (ActionEntry | false)[] = [
    { action: 'edit', text: t('edit'), icon: Pencil },
    isInvitable && { action: 'invite', text: username ? t('reset') : t('invite'), icon: Link2 },
    byOwner && active && !isOwner && username !== null && { action: 'makeOwner', text: t('makeOwner'), icon: KeyRound },
    byOwner &&
      isInvitable &&
      username !== null && { action: 'makeManager', text: t('makeManager'), icon: ClipboardList },
    isInvitable && username !== null && { action: 'signOut', text: t('signOut'), icon: LogOut, isDestructive: true },
    active
      ? { action: 'activity', text: t('deactivate'), icon: UserRoundX, isDestructive: true }
      : { action: 'activity', text: t('activate'), icon: UserRoundCheck },
  ];
  return actions.filter((entry) => entry !== false);
}

/** The menu with the actions on an employee, in their row of the table. */
export function EmployeeMenu({
  employee,
  byOwner,
  onChoose,
}: {
  employee: EmployeeSummary;
  byOwner: boolean;
  onChoose: (action: EmployeeAction) => void;
}) {
  const t = useTranslations('employees');
  const actions = useActions(employee, byOwner);
  if (actions.length === 0) return null;
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
export function EmployeeButtons({
  employee,
  company,
  byOwner,
}: {
  employee: EmployeeSummary;
  company: string;
  byOwner: boolean;
}) {
  const [action, setAction] = useState<EmployeeAction>();
  const actions = useActions(employee, byOwner);
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
