'use client';

import { ActionIcon, Menu } from '@mantine/core';
import { FileUp, MoreHorizontal, Printer, QrCode, UserRoundPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { addMyselfAction } from '#app/owner/employees/actions.ts';
import { AddEmployee } from '#app/owner/employees/add-employee.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { PageLink } from '#app/ui/text/page-link.tsx';

/**
 * The buttons at the head of the employee list: add one, and a menu to import a list, print
 * invitations and add oneself. `sheet` is the address of the invitations to print.
 */
export function EmployeeHead({ company, isListed, sheet }: { company: string; isListed: boolean; sheet: string }) {
  const t = useTranslations('employees');
  const router = useRouter();
  const { run, pending } = useAction(addMyselfAction, () => router.refresh());
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
          <Menu.Item component={PageLink} href="/owner/employees/join" mih={44} leftSection={<QrCode size={18} />}>
            {t('joinLink')}
          </Menu.Item>
          <Menu.Item component={PageLink} href="/owner/employees/import" mih={44} leftSection={<FileUp size={18} />}>
            {t('import')}
          </Menu.Item>
          <Menu.Item component={PageLink} href={sheet} mih={44} leftSection={<Printer size={18} />}>
            {t('printInvitations')}
          </Menu.Item>
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
