import { useTranslations } from 'next-intl';
import type { Result } from '#app/ui/forms/fields.ts';
import { TextField } from '#app/ui/forms/form.tsx';
import { FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import type { EmployeeDetails } from '#server/employees/employment.ts';

type Props<Value> = {
  title: string;
  action: (details: { name: string; role: string; staffNumber: string }) => Promise<Result<Value>>;
  initial?: EmployeeDetails;
  onDone?: (value: Value) => void;
  onClose: () => void;
};

/** The dialog for the data of an employee, new or known. */
export function EmployeeForm<Value>({ action, initial, ...dialog }: Props<Value>) {
  const t = useTranslations('employees');
  return (
    <FormDialog
      {...dialog}
      action={({ name = '', role = '', staffNumber = '' }) => action({ name, role, staffNumber })}
      sentences={{ gone: t('gone'), 'staff-number-taken': t('staffNumberTaken') }}
    >
      <TextField name="name" label={t('name')} defaultValue={initial?.name} data-autofocus />
      <TextField name="role" label={t('role')} placeholder={t('roleHint')} defaultValue={initial?.role} />
      <TextField
        name="staffNumber"
        label={t('staffNumber')}
        description={t('staffNumberHint')}
        defaultValue={initial?.staffNumber ?? ''}
        required={false}
      />
    </FormDialog>
  );
}
