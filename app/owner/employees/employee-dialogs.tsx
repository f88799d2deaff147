'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { editEmployeeAction, setEmployeeActiveAction, signOutEmployeeAction } from '#app/owner/employees/actions.ts';
import { EmployeeForm } from '#app/owner/employees/employee-form.tsx';
import { InviteDialog } from '#app/owner/employees/invite-dialog.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

/** The actions on an employee; `activity` activates or deactivates. */
export type EmployeeAction = 'edit' | 'activity' | 'invite' | 'signOut';

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
  return <InviteDialog employee={employee} company={company} onClose={finish} />;
}

function EditDialog({ employee, onClose, onDone }: DialogProps & { onDone: () => void }) {
  const t = useTranslations('employees');
  return (
    <Dialog onClose={onClose} title={t('editTitle')}>
      <EmployeeForm
        action={(details) => editEmployeeAction({ id: employee.id, ...details })}
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
      title={active ? t('deactivateTitle', { name }) : t('activateNamed', { name })}
      text={active ? t('deactivateText') : t('activateText')}
      submit={active ? t('deactivate') : t('activate')}
      isDestructive={active}
      problem={problems.form}
      pending={pending}
      onClose={onClose}
      onConfirm={() => void run({ id, active: !active })}
    />
  );
}

function SignOutDialog({ employee: { id, name }, onClose, onDone }: DialogProps & { onDone: () => void }) {
  const t = useTranslations('employees');
  const { run, pending, problems } = useAction(signOutEmployeeAction, onDone, { gone: t('gone') });
  return (
    <ConfirmDialog
      title={t('signOutTitle', { name })}
      text={t('signOutText')}
      submit={t('signOut')}
      isDestructive
      problem={problems.form}
      pending={pending}
      onClose={onClose}
      onConfirm={() => void run({ id })}
    />
  );
}

function ConfirmDialog({
  title,
  text,
  submit,
  isDestructive,
  problem,
  pending,
  onClose,
  onConfirm,
}: {
  title: string;
  text: string;
  submit: string;
  isDestructive: boolean;
  problem: string | undefined;
  pending: boolean;
  onClose: () => void;
  onConfirm: () => void;
}) {
  const form = useTranslations('form');
  return (
    <Dialog onClose={onClose} title={<bdi>{title}</bdi>}>
      <Stack>
        {problem && <Alert color="red">{problem}</Alert>}
        <Text>{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {form('cancel')}
          </Button>
          <Button color={isDestructive ? 'red' : undefined} loading={pending} onClick={onConfirm}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
