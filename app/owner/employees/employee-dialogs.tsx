import { useTranslations } from 'next-intl';
import { use } from 'react';
import {
  addNumberedEmployeeAction,
  editNumberedEmployeeAction,
  giveRightsAction,
  setEmployeesActiveAction,
  showInvitationAction,
  signOutEmployeeAction,
} from '#app/owner/employees/actions.ts';
import { TextField } from '#app/ui/forms/form.tsx';
import { Company } from '#app/ui/frame/company.ts';
import { ActionDialog, FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import { LinkDialog } from '#app/ui/sessions/link-dialog.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

export type EmployeeAction = 'edit' | 'invite' | 'activate' | 'deactivate' | 'makeOwner' | 'makeManager' | 'signOut';

export type AddedEmployee = { id: number; name: string };

type DialogProps = { action: EmployeeAction; employee: EmployeeSummary; onClose: () => void };

export function EmployeeDialog({ action, employee, onClose }: DialogProps) {
  const t = useTranslations('employees');
  const { id, name } = employee;
  if (action === 'invite') return <InviteDialog employee={employee} onClose={onClose} />;
  if (action === 'edit') return <EmployeeForm employee={employee} onClose={onClose} />;
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

type FormProps = { employee?: EmployeeSummary; onDone?: (added: AddedEmployee) => void; onClose: () => void };

/** The form for a new employee, or for the data of one. */
export function EmployeeForm({ employee, onDone, onClose }: FormProps) {
  const t = useTranslations('employees');
  const save = async ({ name = '', role = '', staffNumber = '' }: Record<string, string>) => {
    const details = { name, role, staffNumber };
    return employee ? editNumberedEmployeeAction({ id: employee.id, ...details }) : addNumberedEmployeeAction(details);
  };
  return (
    <FormDialog
      title={t(employee ? 'editTitle' : 'add')}
      action={save}
      onDone={(added) => (added ? onDone?.(added) : onClose())}
      onClose={onClose}
      sentences={{ gone: t('gone'), 'staff-number-taken': t('staffNumberTaken') }}
    >
      <TextField name="name" label={t('name')} defaultValue={employee?.name} data-autofocus />
      <TextField name="role" label={t('role')} placeholder={t('roleHint')} defaultValue={employee?.role} />
      <TextField
        name="staffNumber"
        label={t('staffNumber')}
        description={t('staffNumberHint')}
        defaultValue={employee?.staffNumber ?? ''}
        required={false}
      />
    </FormDialog>
  );
}

type InviteProps = {
  employee: Pick<EmployeeSummary, 'id' | 'name' | 'username' | 'invitedUntil'>;
  onClose: () => void;
};

const inviteTexts = { again: 'inviteAgain', another: 'inviteAnother', new: null } as const;

/** The dialog with an employee's invitation link. Asks first if a new one replaces a password. */
export function InviteDialog({ employee: { id, name, username, invitedUntil }, onClose }: InviteProps) {
  const t = useTranslations('employees');
  const { company } = use(Company);
  return (
    <LinkDialog
      id={id}
      action={showInvitationAction}
      sentences={{ inviteFailed: t('inviteFailed') }}
      title={t(username ? 'resetTitle' : 'inviteTitle', { name })}
      text={(shown = 'new') => t(inviteTexts[shown] ?? (username ? 'resetText' : 'inviteText'), { name })}
      isImmediate={username === null || invitedUntil !== null}
      label={t('inviteLink')}
      messageWith={(link) => t('inviteMessage', { name, company, link })}
      qrLabel={t('inviteQr', { name })}
      onClose={onClose}
    />
  );
}
