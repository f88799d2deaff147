'use client';

import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FileUp, MoreHorizontal, Printer, QrCode, UserCheck, UserPlus, UserRoundPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { addMyselfAction, addNumberedEmployeeAction } from '#app/owner/employees/actions.ts';
import { EmployeeForm } from '#app/owner/employees/employee-form.tsx';
import { InviteDialog } from '#app/owner/employees/invite-dialog.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { DoneLine } from '#app/ui/frame/done-line.tsx';
import { PageLink } from '#app/ui/text/links.tsx';

/**
 * The buttons at the head of the employee list: add one, and a menu to import a list, print
 * invitations and add oneself. `sheet` is the address of the invitations to print.
 */
export function EmployeeHead({ company, isListed, sheet }: { company: string; isListed: boolean; sheet: string }) {
  const t = useTranslations('employees');
  const router = useRouter();
  const { run, pending } = useAction(addMyselfAction, () => router.refresh());
  const pages = [
    { href: '/owner/employees/join', text: t('joinLink'), icon: QrCode },
    { href: '/owner/employees/import', text: t('import'), icon: FileUp },
    { href: sheet, text: t('printInvitations'), icon: Printer },
  ];
  return (
    <div className="head-actions">
      <AddEmployee company={company} />
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon variant="default" aria-label={t('more')} loading={pending}>
            <MoreHorizontal aria-hidden size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {pages.map(({ href, text, icon: Icon }) => (
            <Menu.Item key={href} component={PageLink} href={href} mih={44} leftSection={<Icon size={18} />}>
              {text}
            </Menu.Item>
          ))}
          {!isListed && (
            <Menu.Item mih={44} leftSection={<UserRoundPlus size={18} />} onClick={() => void run(null)}>
              {t('addMe')}
              <span className="list-sub">{t('addMeHint')}</span>
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

type AddedEmployee = { id: number; name: string };

// The button that adds an employee. Then a line confirms it and offers an invitation.
function AddEmployee({ company }: { company: string }) {
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
      <Button leftSection={<UserPlus aria-hidden size={18} />} onClick={open} aria-label={t('add')}>
        <span className="desktop-only">{t('add')}</span>
        <span className="phone-only">{t('addShort')}</span>
      </Button>
      {opened && (
        <Dialog onClose={close} title={t('add')}>
          <EmployeeForm action={addNumberedEmployeeAction} onDone={done} onCancel={close} />
        </Dialog>
      )}
      <div role="status">
        {added && !inviting && (
          <DoneLine
            icon={<UserCheck aria-hidden size={20} />}
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
        <InviteDialog employee={{ ...added, username: null, invitedUntil: null }} company={company} onClose={finish} />
      )}
    </>
  );
}
