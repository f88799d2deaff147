'use client';

import { Alert, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import type { Result } from '#app/ui/forms/fields.ts';
import { FormButtons } from '#app/ui/forms/form-buttons.tsx';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';
import type { EmployeeDetails } from '#server/employees/employees.ts';

/** The form for the name and role of an employee. */
export function EmployeeForm<Value>({
  action,
  initial,
  onDone,
  onCancel,
}: {
  action: (details: EmployeeDetails) => Promise<Result<Value>>;
  initial?: EmployeeDetails;
  onDone: (value: Value) => void;
  onCancel: () => void;
}) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const { run, pending, problems } = useAction(action, onDone, { gone: t('gone') });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '', role = '' } = readForm(event.currentTarget);
    void run({ name, role });
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
        <FormButtons submit={form('save')} pending={pending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
