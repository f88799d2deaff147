'use client';

import { ClipboardList, KeyRound, Link2, LogOut, Pencil, UserRoundCheck, UserRoundX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { EmployeeAction } from '#app/owner/employees/employee-dialogs.tsx';
import { useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { MainAction } from '#app/ui/lists/action-menu.tsx';
import type { ActionEntry } from '#app/ui/lists/opened-menu.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

export const EmployeeDialog = whenNeeded(() => import('#app/owner/employees/employee-dialogs.tsx'), 'EmployeeDialog');

export type Choose = (action: EmployeeAction) => void;

/**
 * What can be done with an employee. No invitation for owners and managers: the settings send theirs. Nothing where a
 * manager may not change the person.
 */
export function useEmployeeEntries(employee: EmployeeSummary, byOwner: boolean, onChoose: Choose): ActionEntry[] {
  const { active, username, isOwner, isManager, isProtected, invitedUntil } = employee;
  const t = useTranslations('employees');
  if (isProtected) return [];
  const isInvitable = active && !isOwner && !isManager;
  const hasAccount = username !== null;
  const entry = (name: EmployeeAction, text: string, icon: ActionEntry['icon']) => ({
    text,
    icon,
    onChoose: () => onChoose(name),
  });
  const actions: (ActionEntry | false)[] = [
    isInvitable && !hasAccount && entry('invite', t(invitedUntil ? 'openInvitation' : 'invite'), Link2),
    entry('edit', t('edit'), Pencil),
    isInvitable && hasAccount && entry('invite', t(invitedUntil ? 'openReset' : 'reset'), Link2),
    byOwner && active && !isOwner && hasAccount && entry('makeOwner', t('makeOwner'), KeyRound),
    byOwner && isInvitable && hasAccount && entry('makeManager', t('makeManager'), ClipboardList),
    isInvitable && hasAccount && entry('signOut', t('signOut'), LogOut),
    active ? entry('deactivate', t('deactivate'), UserRoundX) : entry('activate', t('activate'), UserRoundCheck),
  ];
  return actions.filter((action) => action !== false);
}

export function EmployeeButtons({ employee, byOwner }: { employee: EmployeeSummary; byOwner: boolean }) {
  const t = useTranslations('employees');
  const [action, open, close] = useOpenDialog<EmployeeAction>();
  return (
    <>
      <MainAction label={t('more')} entries={useEmployeeEntries(employee, byOwner, open)} />
      {action && <EmployeeDialog action={action} employee={employee} onClose={close} />}
    </>
  );
}
