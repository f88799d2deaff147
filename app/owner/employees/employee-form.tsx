import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { use } from 'react';
import type { Result } from '#app/ui/forms/fields.ts';
import { Form, FormButtons, FormProblems, TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import type { EmployeeDetails } from '#server/employees/employment.ts';

type Props<Value> = {
  action: (details: { name: string; role: string; staffNumber: string }) => Promise<Result<Value>>;
  initial?: EmployeeDetails;
  onDone: (value: Value) => void;
  onCancel: () => void;
};

export function EmployeeForm<Value>({ action, initial, onDone, onCancel }: Props<Value>) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const { run, pending, problems } = useAction(action, onDone, {
    gone: t('gone'),
    'staff-number-taken': t('staffNumberTaken'),
  });
  const submit = ({ name = '', role = '', staffNumber = '' }: Record<string, string>) =>
    void run({ name, role, staffNumber });
  return (
    <Form problems={problems} onSubmit={submit}>
      <TextField name="name" label={t('name')} defaultValue={initial?.name} data-autofocus />
      <TextField name="role" label={t('role')} placeholder={t('roleHint')} defaultValue={initial?.role} />
      <TextField
        name="staffNumber"
        label={t('staffNumber')}
        description={t('staffNumberHint')}
        defaultValue={initial?.staffNumber ?? ''}
        required={false}
      />
      <FormButtons submit={form('save')} pending={pending} onCancel={onCancel} />
    </Form>
  );
}

/** A field for a role that suggests `roles`, those of the company. */
export function RoleField({ roles, ...field }: AutocompleteProps & { roles: string[] }) {
  return (
    <Autocomplete
      name="role"
      size="md"
      styles={{ input: { minHeight: 44 } }}
      maxLength={60}
      autoComplete="off"
      openOnFocus={false}
      data={roles}
      limit={6}
      error={use(FormProblems).role}
      {...field}
    />
  );
}
