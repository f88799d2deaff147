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

export type EmployeeAction =
  | ('edit' | 'invite' | 'activate' | 'deactivate')
  | ('makeOwner' | 'makeManager' | 'signOut');

type DialogProps = { action: EmployeeAction; employee: EmployeeSummary; onClose: () => void };

/** The dialog for an action on an employee. */
export function EmployeeDialog({ action, employee, onClose }: DialogProps) {
  const t = useTranslations('employees');
  const { id, name } = employee;
  if (action === 'invite') return <InviteDialog employee={employee} onClose={onClose} />;
  if (action === 'edit')
    return (
      <EmployeeForm
        title={t('editTitle')}
        action={(details) => editNumberedEmployeeAction({ id, ...details })}
        initial={employee}
        onClose={onClose}
      />
    );
  const question = {
    title: <bdi>{t(`${action}Title`, { name })}</bdi>,
    submit: t(action),
    text: t(`${action}Text`, { name }),
    isDestructive: action === 'signOut' || action === 'deactivate',
    sentences: { gone: t('gone') },
    onClose,
  };
  if (action === 'signOut') return <ActionDialog {...question} action={signOutEmployeeAction} input={{ id }} />;
  if (action === 'makeOwner' || action === 'makeManager')
    return <ActionDialog {...question} action={giveRightsAction} input={{ id, rights: action }} />;
  const input = { ids: [id], active: action === 'activate' };
  return <ActionDialog {...question} action={setEmployeesActiveAction} input={input} />;
}
