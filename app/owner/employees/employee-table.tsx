'use client';

import { Button } from '@mantine/core';
import { FileUp, Printer, QrCode, UserCheck, UserPlus, UserRoundPlus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { addMyselfAction } from '#app/owner/employees/actions.ts';
import type { Matching } from '#app/owner/employees/bulk-actions.tsx';
import type { AddedEmployee, EmployeeAction } from '#app/owner/employees/employee-dialogs.tsx';
import { type Choose, EmployeeDialog, useEmployeeEntries } from '#app/owner/employees/employee-menu.tsx';
import { useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { DoneLine } from '#app/ui/frame/status-line.tsx';
import { ActionMenu } from '#app/ui/lists/action-menu.tsx';
import { Cell, ListRow, ListTable, Note, RowLink } from '#app/ui/lists/list-table.tsx';
import { PickAll, PickPerson, type Selection, useSelection } from '#app/ui/lists/selection.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

const EmployeeForm = whenNeeded(() => import('#app/owner/employees/employee-dialogs.tsx'), 'EmployeeForm');
const InviteDialog = whenNeeded(() => import('#app/owner/employees/employee-dialogs.tsx'), 'InviteDialog');
const BulkActions = whenNeeded(() => import('#app/owner/employees/bulk-actions.tsx'), 'BulkActions');

/** The buttons at the head of the list: add one, and a menu to import, to invite and to add oneself. */
export function EmployeeHead({ isListed }: { isListed: boolean }) {
  const t = useTranslations('employees');
  const [opened, open, close] = useOpenDialog<true>();
  const [added, setAdded] = useState<AddedEmployee>();
  const [invited, invite, endInvite] = useOpenDialog<AddedEmployee>();
  const done = (employee: AddedEmployee) => {
    setAdded(employee);
    close();
  };
  const forget = () => setAdded(undefined);
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
      <Button px="sm" leftSection={<UserPlus />} onClick={() => open(true)} aria-label={t('add')}>
        <span className="mantine-visible-from-sm">{t('add')}</span>
        <span className="mantine-hidden-from-sm">{t('addShort')}</span>
      </Button>
      {opened && <EmployeeForm onDone={done} onClose={close} />}
      <div role="status">
        {added && (
          <DoneLine icon={<UserCheck size={20} />} text={t('added', { name: added.name })} onClose={forget}>
            <Button
              variant="light"
              onClick={() => {
                invite(added);
                forget();
              }}
            >
              {t('addedInvite')}
            </Button>
          </DoneLine>
        )}
      </div>
      {invited && <InviteDialog employee={{ ...invited, username: null, invitedUntil: null }} onClose={endInvite} />}
      <ActionMenu label={t('more')} outlined pending={pending} entries={entries} />
    </>
  );
}

/** `byOwner`: the list is an owner's, not a manager's. `allChosen`: all rows are chosen at first. */
type ListProps = { employees: EmployeeSummary[]; byOwner: boolean; matching: Matching; allChosen: boolean };

/** The list of employees: a row opens the person's page, checkboxes choose several. */
export function EmployeeList({ employees, byOwner, matching, allChosen }: ListProps) {
  const t = useTranslations('employees');
  const rowIds = employees.map(({ id }) => id);
  const selection = useSelection(rowIds, allChosen);
  const [chosen, open, close] = useOpenDialog<{ action: EmployeeAction; employee: EmployeeSummary }>();
  const [bulk, setBulk] = useState(false);
  const { chosen: ids, choosing, setChoosing } = selection;
  if (ids.size > 0 && !bulk) setBulk(true);
  const pickAll = <PickAll label={t('chooseAll')} selection={selection} count={employees.length} />;
  const columns = [
    { name: t('choose'), width: '5.75rem', head: pickAll },
    { name: t('name'), width: 'minmax(0, 2fr)' },
    { name: t('role'), width: 'minmax(0, 1.3fr)' },
    { name: t('attention'), width: 'minmax(0, 1.5fr)', noted: true },
    { name: t('seenColumn'), width: '8.25rem', wide: true },
    { name: t('actions'), width: '3.25rem', quiet: true },
  ];
  return (
    <div data-choosing={choosing || ids.size > 0 || undefined}>
      {!choosing && ids.size === 0 && (
        <Button variant="transparent" hiddenFrom="sm" px={0} mt={-2} mb={-4} onClick={() => setChoosing(true)}>
          {t('chooseSome')}
        </Button>
      )}
      <ListTable label={t('title')} columns={columns}>
        {employees.map((employee) => (
          <EmployeeRow
            key={employee.id}
            employee={employee}
            byOwner={byOwner}
            selection={selection}
            onChoose={(action) => open({ action, employee })}
          />
        ))}
      </ListTable>
      {chosen && <EmployeeDialog {...chosen} onClose={close} />}
      {(bulk || choosing) && <BulkActions employees={employees} selection={selection} matching={matching} />}
    </div>
  );
}

type RowProps = { employee: EmployeeSummary; byOwner: boolean; selection: Selection; onChoose: Choose };

function EmployeeRow({ employee, byOwner, selection, onChoose }: RowProps) {
  const t = useTranslations('employees');
  const { id, name, role, staffNumber, active, portal } = employee;
  return (
    <ListRow data-employee={id} chosen={selection.isChosen(id)} faded={!active}>
      <PickPerson label={t('chooseNamed', { name })} selection={selection} id={id} name={name} />
      <Cell at="main">
        <RowLink href={`/owner/employees/${id}`}>{name}</RowLink>
      </Cell>
      <Cell at="second">
        <span>
          <bdi>{role}</bdi>
          {staffNumber && <span> · </span>}
          <bdi>{staffNumber}</bdi>
        </span>
        <span className="mantine-hidden-from-sm list-note">
          <EmployeeNote employee={employee} />
        </span>
      </Cell>
      <Cell>
        <EmployeeNote employee={employee} onChoose={onChoose} />
      </Cell>
      <Cell at="aside" wide time={portal?.seenAt} what={t('seen')} />
      <Cell at="menu">
        <ActionMenu label={t('actionsNamed', { name })} entries={useEmployeeEntries(employee, byOwner, onChoose)} />
      </Cell>
    </ListRow>
  );
}

// What is unusual about an employee's access and sound. A press on a missing or unused invitation makes one. Without
// `onChoose` it has no date: on a phone the row leads to the page that invites.
function EmployeeNote({ employee, onChoose }: { employee: EmployeeSummary; onChoose?: Choose }) {
  const t = useTranslations('employees');
  const { name, active, username, invitedUntil, portal, devices } = employee;
  if (!active) return <Note>{t('inactive')}</Note>;
  if (!username) {
    const invite = onChoose && (() => onChoose('invite'));
    if (invitedUntil && onChoose)
      return (
        <Note onPress={invite}>
          {t('notes.invited')} <ShortTime at={invitedUntil} />
        </Note>
      );
    const text = t(invitedUntil ? 'notes.invitedBrief' : 'accounts.uninvited');
    const label = `${text}: ${t('inviteNamed', { name })}`;
    return (
      <Note tone={invitedUntil ? undefined : 'attention'} label={label} onPress={invite}>
        {text}
      </Note>
    );
  }
  if (!portal) return <Note tone="attention">{t('notes.never')}</Note>;
  if (!portal.sound || portal.sound === 'on' || devices > 0) return null;
  return <Note tone={portal.sound === 'muted' ? undefined : 'attention'}>{t(`notes.${portal.sound}`)}</Note>;
}
