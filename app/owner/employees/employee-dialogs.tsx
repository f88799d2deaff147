import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import {
  editNumberedEmployeeAction,
  giveRightsAction,
  setEmployeesActiveAction,
  signOutEmployeeAction,
} from '#app/owner/employees/actions.ts';
import { EmployeeForm } from '#app/owner/employees/employee-form.tsx';
import { InviteDialog } from '#app/owner/employees/invite-dialog.tsx';
import { ActionDialog } from '#app/ui/sessions/form-dialog.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

/** The actions on an employee; `activity` activates or deactivates. */
export type EmployeeAction = 'edit' | 'activity' | 'invite' | 'makeOwner' | 'makeManager' | 'signOut';

type DialogProps = { action: EmployeeAction; company: string; employee: EmployeeSummary; onClose: () => void };

/** The dialog for an action on an employee. */
export function EmployeeDialog({ action, company, employee, onClose }: DialogProps) {
  const t = useTranslations('employees');
  const { id, name, active } = employee;
  const confirm = { sentences: { gone: t('gone') }, onClose, onDone: onClose };
  if (action === 'invite') return <InviteDialog employee={employee} company={company} onClose={onClose} />;
  if (action === 'edit')
    return (
      <EmployeeForm
        title={t('editTitle')}
        action={(details) => editNumberedEmployeeAction({ id, ...details })}
        initial={employee}
        onClose={onClose}
      />
    );
  if (action === 'activity')
    return (
      <ActionDialog
        {...confirm}
        action={setEmployeesActiveAction}
        input={{ ids: [id], active: !active }}
        title={<bdi>{active ? t('deactivateTitle', { name }) : t('activateNamed', { name })}</bdi>}
        submit={active ? t('deactivate') : t('activate')}
        isDestructive={active}
      >
        <Text>{active ? t('deactivateText', { name }) : t('activateText', { name })}</Text>
      </ActionDialog>
    );
  const texts = {
    ...confirm,
    title: <bdi>{t(`${action}Title`, { name })}</bdi>,
    submit: t(action),
    children: <Text>{t(`${action}Text`, { name })}</Text>,
  };
  if (action === 'signOut')
    return <ActionDialog {...texts} action={signOutEmployeeAction} input={{ id }} isDestructive />;
  return <ActionDialog {...texts} action={giveRightsAction} input={{ id, rights: action }} />;
}
