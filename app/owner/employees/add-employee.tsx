'use client';

import { Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { UserPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { addEmployeeAction, addMyselfAction } from '#app/owner/employees/actions.ts';
import { EmployeeForm } from '#app/owner/employees/employee-form.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { useAction } from '#app/ui/use-action.ts';

/** The button and dialog that add an employee. */
export function AddEmployee() {
  const t = useTranslations('employees');
  const router = useRouter();
  const [opened, { open, close }] = useDisclosure();
  const done = () => {
    close();
    router.refresh();
  };
  return (
    <>
      <Button leftSection={<UserPlus aria-hidden size={18} />} onClick={open}>
        {t('add')}
      </Button>
      {opened && (
        <Dialog onClose={close} title={t('add')}>
          <EmployeeForm action={addEmployeeAction} onDone={done} onCancel={close} />
        </Dialog>
      )}
    </>
  );
}

/** Makes the owner a recipient with one click. */
export function AddMe() {
  const t = useTranslations('employees');
  const router = useRouter();
  const { run, pending } = useAction(addMyselfAction, () => router.refresh());
  return (
    <Tooltip label={t('addMeHint')}>
      <Button variant="default" loading={pending} onClick={() => void run(null)}>
        {t('addMe')}
      </Button>
    </Tooltip>
  );
}
