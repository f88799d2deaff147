'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { setEmployeeRolesAction } from '#app/owner/employees/actions.ts';
import { RoleField } from '#app/owner/employees/role-field.tsx';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

/** Asks for the new role of several people. `roles` are suggested. */
export function BulkRoleDialog({
  ids,
  roles,
  onClose,
  onDone,
}: {
  ids: number[];
  roles: string[];
  onClose: () => void;
  onDone: (result: { count: number }) => void;
}) {
  const t = useTranslations('employees');
  const [role, setRole] = useState('');
  const { run, pending, problems } = useAction(setEmployeeRolesAction, onDone);
  const count = ids.length;
  return (
    <ConfirmDialog
      title={t('bulkRoleTitle', { count })}
      submit={t('changeRole')}
      problem={problems.form}
      pending={pending}
      onClose={onClose}
      onConfirm={() => void run({ ids, role })}
    >
      <RoleField
        name="role"
        roles={roles}
        label={t('newRole')}
        error={problems.role}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value)}
        required
        data-autofocus
      />
      <Text>{t('bulkRoleText')}</Text>
    </ConfirmDialog>
  );
}
