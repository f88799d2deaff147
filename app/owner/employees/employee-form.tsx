import type { TextInputProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useId } from 'react';
import type { Result } from '#app/ui/forms/fields.ts';
import { Form, FormButtons, TextField } from '#app/ui/forms/form.tsx';
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

export function RoleField({ roles, ...field }: TextInputProps & { roles: string[] }) {
  const id = useId();
  return (
    <>
      <TextField name="role" {...field} list={id} />
      <RoleList id={id} roles={roles} />
    </>
  );
}
