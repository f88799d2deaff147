'use client';

import { ClipboardList, KeyRound, Link2, LogOut, Pencil, UserRoundCheck, UserRoundX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type EmployeeAction, EmployeeDialog } from '#app/owner/employees/employee-dialogs.tsx';
import { ActionButtons, type ActionEntry, ActionMenu } from '#app/ui/lists/action-menu.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

type Entry = ActionEntry<EmployeeAction>;

// Owners and managers get new passwords in the settings, and what a manager may not change has no actions.
function useActions({ active, username, isOwner, isManager, isProtected }: EmployeeSummary, byOwner: boolean): Entry[] {
  const t = useTranslations('employees');
  if (isProtected) return [];
  const isInvitable = active && !isOwner && !isManager;
  const actions: (Entry | false)[] = [
    { name: 'edit', text: t('edit'), icon: Pencil },
    isInvitable && { name: 'invite', text: username ? t('reset') : t('invite'), icon: Link2 },
    byOwner && active && !isOwner && username !== null && { name: 'makeOwner', text: t('makeOwner'), icon: KeyRound },
    byOwner && isInvitable && username !== null && { name: 'makeManager', text: t('makeManager'), icon: ClipboardList },
    isInvitable && username !== null && { name: 'signOut', text: t('signOut'), icon: LogOut, isDestructive: true },
    active
      ? { name: 'activity', text: t('deactivate'), icon: UserRoundX, isDestructive: true }
      : { name: 'activity', text: t('activate'), icon: UserRoundCheck },
  ];
  return actions.filter((entry) => entry !== false);
}

type MenuProps = { employee: EmployeeSummary; byOwner: boolean; onChoose: (action: EmployeeAction) => void };

export function EmployeeMenu({ employee, byOwner, onChoose }: MenuProps) {
  const label = useTranslations('employees')('actionsNamed', { name: employee.name });
  return <ActionMenu label={label} entries={useActions(employee, byOwner)} onChoose={onChoose} />;
}

type ButtonsProps = { employee: EmployeeSummary; company: string; byOwner: boolean };

export function EmployeeButtons({ employee, company, byOwner }: ButtonsProps) {
  const [action, setAction] = useState<EmployeeAction>();
  return (
    <>
      <ActionButtons entries={useActions(employee, byOwner)} onChoose={setAction} />
      {action && (
        <EmployeeDialog action={action} employee={employee} company={company} onClose={() => setAction(undefined)} />
      )}
    </>
  );
}
