'use client';

import { Alert, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useId } from 'react';
import type { Result } from '#app/ui/forms/fields.ts';
import { FormButtons } from '#app/ui/forms/form-buttons.tsx';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';
import type { EmployeeDetails } from '#server/employees/employment.ts';

/** The form for the name, role and staff number of an employee. */
export function EmployeeForm<Value>({
  action,
  initial,
  onDone,
  onCancel,
}: {
  action: (details: { name: string; role: string; staffNumber: string }) => Promise<Result<Value>>;
  initial?: EmployeeDetails;
  onDone: (value: Value) => void;
  onCancel: () => void;
}) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const { run, pending, problems } = useAction(action, onDone, {
    gone: t('gone'),
    'staff-number-taken': t('staffNumberTaken'),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '', role = '', staffNumber = '' } = readForm(event.currentTarget);
    void run({ name, role, staffNumber });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {problems.form && <Alert color="red">{problems.form}</Alert>}
        <TextInput
          name="name"
          label={t('name')}
          defaultValue={initial?.name}
          error={problems.name}
          autoComplete="off"
          data-autofocus
          required
        />
        <TextInput
          name="role"
          label={t('role')}
          placeholder={t('roleHint')}
          defaultValue={initial?.role}
          error={problems.role}
          autoComplete="off"
          required
        />
        <TextInput
          name="staffNumber"
          label={t('staffNumber')}
          description={t('staffNumberHint')}
          defaultValue={initial?.staffNumber ?? ''}
          error={problems.staffNumber}
          autoComplete="off"
        />
        <FormButtons submit={form('save')} pending={pending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/** The roles that the fields with the `list` of this id suggest. */
export function RoleList({ id, roles }: { id: string; roles: string[] }) {
  return (
    <datalist id={id}>
      {roles.map((role) => (
        <option key={role} value={role} />
      ))}
    </datalist>
  );
}

/** A field for a role that suggests the roles that employees have. */
export function RoleField({ roles, ...field }: TextInputProps & { roles: string[] }) {
  const id = useId();
  return (
    <>
      <TextInput {...field} list={id} autoComplete="off" />
      <RoleList id={id} roles={roles} />
    </>
  );
}
