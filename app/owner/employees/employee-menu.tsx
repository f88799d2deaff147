'use client';

import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { Link2, LogOut, type LucideIcon, MoreHorizontal, Pencil, UserRoundCheck, UserRoundX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type Doing, EmployeeDialog } from '#app/owner/employees/employee-dialogs.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

type Choice = { what: Doing; text: string; icon: LucideIcon; takesAway?: boolean };

function useChoices({ active, username, isOwner }: EmployeeSummary): Choice[] {
  const t = useTranslations('employees');
  const choices: (Choice | false)[] = [
    { what: 'edit', text: t('edit'), icon: Pencil },
    active && !isOwner && { what: 'invite', text: username ? t('reset') : t('invite'), icon: Link2 },
    active && !isOwner && username !== null && { what: 'signOut', text: t('signOut'), icon: LogOut, takesAway: true },
    active
      ? { what: 'activity', text: t('deactivate'), icon: UserRoundX, takesAway: true }
      : { what: 'activity', text: t('activate'), icon: UserRoundCheck },
  ];
  return choices.filter((choice) => choice !== false);
}

/** All that can be done with one employee, behind one button of their row. */
export function EmployeeMenu({ employee, onDo }: { employee: EmployeeSummary; onDo: (what: Doing) => void }) {
  const t = useTranslations('employees');
  const choices = useChoices(employee);
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsNamed', { name: employee.name })}>
          <MoreHorizontal aria-hidden size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ what, text, icon: Icon, takesAway }) => (
          <Menu.Item
            key={what}
            mih={44}
            color={takesAway ? 'red' : undefined}
            leftSection={<Icon aria-hidden size={18} />}
            onClick={() => onDo(what)}
          >
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The same as buttons, on the page of the employee. */
export function EmployeeButtons({ employee, company }: { employee: EmployeeSummary; company: string }) {
  const [doing, setDoing] = useState<Doing>();
  const choices = useChoices(employee);
  return (
    <>
      <Group gap="xs">
        {choices.map(({ what, text, icon: Icon, takesAway }) => (
          <Button
            key={what}
            variant={takesAway ? 'light' : 'default'}
            color={takesAway ? 'red' : undefined}
            leftSection={<Icon aria-hidden size={18} />}
            onClick={() => setDoing(what)}
          >
            {text}
          </Button>
        ))}
      </Group>
      {doing && (
        <EmployeeDialog what={doing} employee={employee} company={company} onClose={() => setDoing(undefined)} />
      )}
    </>
  );
}
