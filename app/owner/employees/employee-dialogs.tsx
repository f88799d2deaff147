'use client';

import { Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import {
  editNumberedEmployeeAction,
  makeManagerAction,
  makeOwnerAction,
  setEmployeeActiveAction,
  signOutEmployeeAction,
} from '#app/owner/employees/actions.ts';
import { EmployeeForm } from '#app/owner/employees/employee-form.tsx';
import { InviteDialog } from '#app/owner/employees/invite-dialog.tsx';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

/** The actions on an employee; `activity` activates or deactivates. */
export type EmployeeAction = 'edit' | 'activity' | 'invite' | 'makeOwner' | 'makeManager' | 'signOut';

type DialogProps = { employee: EmployeeSummary; onClose: () => void };

/** The dialog for an action on an employee. Refreshes the page afterwards. */
export function EmployeeDialog({
  action,
  company,
  employee,
  onClose,
}: DialogProps & { action: EmployeeAction; company: string }) {
  const router = useRouter();
  const finish = () => {
    onClose();
    router.refresh();
  };
  if (action === 'edit') return <EditDialog employee={employee} onClose={onClose} onDone={finish} />;
  if (action === 'activity') return <ActivityDialog employee={employee} onClose={onClose} onDone={finish} />;
  if (action === 'signOut') return <SignOutDialog employee={employee} onClose={onClose} onDone={finish} />;
  if (action === 'makeOwner' || action === 'makeManager')
    return <RightsDialog given={action} employee={employee} onClose={onClose} onDone={finish} />;
  return <InviteDialog employee={employee} company={company} onClose={finish} />;
}

function EditDialog({ employee, onClose, onDone }: DialogProps & { onDone: () => void }) {
  const t = useTranslations('employees');
  return (
    <Dialog onClose={onClose} title={t('editTitle')}>
      <EmployeeForm
        action={(details) => editNumberedEmployeeAction({ id: employee.id, ...details })}
        initial={employee}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function ActivityDialog({ employee: { id, name, active }, onClose, onDone }: DialogProps & { onDone: () => void }) {
  const t = useTranslations('employees');
  const { run, pending, problems } = useAction(setEmployeeActiveAction, onDone, { gone: t('gone') });
  return (
    <ConfirmDialog
      title={<bdi>{active ? t('deactivateTitle', { name }) : t('activateNamed', { name })}</bdi>}
      submit={active ? t('deactivate') : t('activate')}
      isDestructive={active}
      problem={problems.form}
      pending={pending}
      onClose={onClose}
      onConfirm={() => void run({ id, active: !active })}
    >
      <Text>{active ? t('deactivateText', { name }) : t('activateText', { name })}</Text>
    </ConfirmDialog>
  );
}

function SignOutDialog({ employee: { id, name }, onClose, onDone }: DialogProps & { onDone: () => void }) {
  const t = useTranslations('employees');
  const { run, pending, problems } = useAction(signOutEmployeeAction, onDone, { gone: t('gone') });
  return (
    <ConfirmDialog
      title={<bdi>{t('signOutTitle', { name })}</bdi>}
      submit={t('signOut')}
      isDestructive
      problem={problems.form}
      pending={pending}
      onClose={onClose}
      onConfirm={() => void run({ id })}
    >
      <Text>{t('signOutText', { name })}</Text>
    </ConfirmDialog>
  );
}

function RightsDialog({
  given,
  employee: { id, name },
  onClose,
  onDone,
}: DialogProps & { given: 'makeOwner' | 'makeManager'; onDone: () => void }) {
  const t = useTranslations('employees');
  const action = given === 'makeOwner' ? makeOwnerAction : makeManagerAction;
  const { run, pending, problems, dialog } = useProvedAction(action, onDone, { gone: t('gone') });
  return (
    <>
      <ConfirmDialog
        title={<bdi>{t(`${given}Title`, { name })}</bdi>}
        submit={t(given)}
        problem={problems.form}
        pending={pending}
        onClose={onClose}
        onConfirm={() => void run({ id })}
      >
        <Text>{t(`${given}Text`, { name })}</Text>
      </ConfirmDialog>
      {dialog}
    </>
  );
}
