'use client';

import { Button, CloseButton, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { UserCheck, UserPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { addMyselfAction, addNumberedEmployeeAction } from '#app/owner/employees/actions.ts';
import { EmployeeForm } from '#app/owner/employees/employee-form.tsx';
import { InviteDialog } from '#app/owner/employees/invite-dialog.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { StatusLine } from '#app/ui/frame/status-line.tsx';

type AddedEmployee = { id: number; name: string };

/** The button that adds an employee. Then a line confirms it and offers an invitation. */
export function AddEmployee({ company }: { company: string }) {
  const t = useTranslations('employees');
  const router = useRouter();
  const [opened, { open, close }] = useDisclosure();
  const [added, setAdded] = useState<AddedEmployee>();
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
      <AddedLine added={added} company={company} onClose={() => setAdded(undefined)} />
    </>
  );
}

function AddedLine({ added, company, onClose }: { added?: AddedEmployee; company: string; onClose: () => void }) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const router = useRouter();
  const [inviting, setInviting] = useState(false);
  const finish = () => {
    setInviting(false);
    onClose();
    router.refresh();
  };
  return (
    <>
      <div role="status">
        {added && !inviting && (
          <div className="status-bar">
            <StatusLine icon={<UserCheck aria-hidden size={20} />} text={t('added', { name: added.name })}>
              <Group gap={4} wrap="nowrap">
                <Button variant="light" onClick={() => setInviting(true)}>
                  {t('addedInvite')}
                </Button>
                <CloseButton size={44} aria-label={form('close')} onClick={onClose} />
              </Group>
            </StatusLine>
          </div>
        )}
      </div>
      {added && inviting && (
        <InviteDialog employee={{ ...added, username: null, invitedUntil: null }} company={company} onClose={finish} />
      )}
    </>
  );
}

/** The button that adds the owner as an employee. */
export function AddMe() {
  const t = useTranslations('employees');
  const router = useRouter();
  const { run, pending } = useAction(addMyselfAction, () => router.refresh());
  return (
    <Button variant="default" title={t('addMeHint')} loading={pending} onClick={() => void run(null)}>
      {t('addMe')}
    </Button>
  );
}
