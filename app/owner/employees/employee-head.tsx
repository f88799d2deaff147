'use client';

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FileUp, Printer, QrCode, UserCheck, UserPlus, UserRoundPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { addMyselfAction, addNumberedEmployeeAction } from '#app/owner/employees/actions.ts';
import { EmployeeForm } from '#app/owner/employees/employee-form.tsx';
import { InviteDialog } from '#app/owner/employees/invite-dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { DoneLine } from '#app/ui/frame/status-line.tsx';
import { ActionMenu } from '#app/ui/lists/action-menu.tsx';

/** The buttons at the head of the list: add one, and a menu to import, to invite and to add oneself. */
export function EmployeeHead({ isListed }: { isListed: boolean }) {
  const t = useTranslations('employees');
  const { run, pending } = useAction(addMyselfAction);
  const addMe = { onChoose: () => void run(null), text: t('addMe'), hint: t('addMeHint'), icon: UserRoundPlus };
  const entries = [
    { href: '/owner/employees/invitations', text: t('joinLink'), icon: QrCode },
    { href: '/owner/employees/import', text: t('import'), icon: FileUp },
    { href: '/owner/employees?account=uninvited&choose=all', text: t('printInvitations'), icon: Printer },
    ...(isListed ? [] : [addMe]),
  ];
  return (
    <>
      <AddEmployee />
      <ActionMenu label={t('more')} outlined pending={pending} entries={entries} />
    </>
  );
}

type AddedEmployee = { id: number; name: string };

function AddEmployee() {
  const t = useTranslations('employees');
  const router = useRouter();
  const [opened, { open, close }] = useDisclosure();
  const [added, setAdded] = useState<AddedEmployee>();
  const [inviting, setInviting] = useState(false);
  const finish = () => {
    setInviting(false);
    setAdded(undefined);
    router.refresh();
  };
  const done = (employee: AddedEmployee) => {
    setAdded(employee);
    close();
    router.refresh();
  };
  return (
    <>
      <Button px="sm" leftSection={<UserPlus />} onClick={open} aria-label={t('add')}>
        <span className="mantine-visible-from-sm">{t('add')}</span>
        <span className="mantine-hidden-from-sm">{t('addShort')}</span>
      </Button>
      {opened && <EmployeeForm title={t('add')} action={addNumberedEmployeeAction} onDone={done} onClose={close} />}
      <div role="status">
        {added && !inviting && (
          <DoneLine
            icon={<UserCheck size={20} />}
            text={t('added', { name: added.name })}
            onClose={() => setAdded(undefined)}
          >
            <Button variant="light" onClick={() => setInviting(true)}>
              {t('addedInvite')}
            </Button>
          </DoneLine>
        )}
      </div>
      {added && inviting && (
        <InviteDialog employee={{ ...added, username: null, invitedUntil: null }} onClose={finish} />
      )}
    </>
  );
}
