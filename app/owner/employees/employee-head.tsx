'use client';

import { Button } from '@mantine/core';
import { FileUp, Printer, QrCode, UserCheck, UserPlus, UserRoundPlus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { addMyselfAction } from '#app/owner/employees/actions.ts';
import type { AddedEmployee } from '#app/owner/employees/employee-dialogs.tsx';
import { useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { DoneLine } from '#app/ui/frame/status-line.tsx';
import { ActionMenu } from '#app/ui/lists/action-menu.tsx';

const AddEmployeeDialog = whenNeeded(() => import('#app/owner/employees/employee-dialogs.tsx'), 'AddEmployeeDialog');
const InviteDialog = whenNeeded(() => import('#app/owner/employees/employee-dialogs.tsx'), 'InviteDialog');

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

function AddEmployee() {
  const t = useTranslations('employees');
  const [opened, open, close] = useOpenDialog<true>();
  const [added, setAdded] = useState<AddedEmployee>();
  const [invited, invite, endInvite] = useOpenDialog<AddedEmployee>();
  const done = (employee: AddedEmployee) => {
    setAdded(employee);
    close();
  };
  return (
    <>
      <Button px="sm" leftSection={<UserPlus />} onClick={() => open(true)} aria-label={t('add')}>
        <span className="mantine-visible-from-sm">{t('add')}</span>
        <span className="mantine-hidden-from-sm">{t('addShort')}</span>
      </Button>
      {opened && <AddEmployeeDialog onDone={done} onClose={close} />}
      <div role="status">
        {added && (
          <DoneLine
            icon={<UserCheck size={20} />}
            text={t('added', { name: added.name })}
            onClose={() => setAdded(undefined)}
          >
            <Button
              variant="light"
              onClick={() => {
                invite(added);
                setAdded(undefined);
              }}
            >
              {t('addedInvite')}
            </Button>
          </DoneLine>
        )}
      </div>
      {invited && <InviteDialog employee={{ ...invited, username: null, invitedUntil: null }} onClose={endInvite} />}
    </>
  );
}
