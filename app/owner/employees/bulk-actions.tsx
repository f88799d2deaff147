import { Button, Text } from '@mantine/core';
import { BellRing, BriefcaseBusiness, Link2, ListChecks, UserRoundCheck, UserRoundX } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { listMatchingAction, setEmployeeRolesAction, setEmployeesActiveAction } from '#app/owner/employees/actions.ts';
import type { EmployeeQuery } from '#app/owner/employees/employee-query.ts';
import { MessagesDialog } from '#app/owner/employees/messages-dialog.tsx';
import { RoleField } from '#app/owner/employees/role-field.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { DoneLine } from '#app/ui/frame/status-line.tsx';
import { type BulkAction, BulkBar, BulkButtons, type Selection } from '#app/ui/lists/selection.tsx';
import { ActionDialog, FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

/** All people who match the filters of the list: the address's parameters, and a count. */
export type Matching = { query: Omit<EmployeeQuery, 'before'>; count: number };

// As many as one bulk change takes.
const maxMatching = 200;

type What = 'invite' | 'remind' | 'role' | 'activate' | 'deactivate';
// `change` is missing when the roles were changed, which cannot be undone here.
type Done = { count: number; change?: { ids: number[]; active: boolean } };

type Props = { employees: EmployeeSummary[]; selection: Selection; matching: Matching };

/** What can be done with the chosen employees. It offers only what fits some of them. */
export function BulkActions({ employees, selection, matching }: Props) {
  const t = useTranslations('employees');
  const router = useRouter();
  const [asking, setAsking] = useState<{ what: What; people: EmployeeSummary[] }>();
  const [done, setDone] = useState<Done>();
  const [allMatching, setAllMatching] = useState<EmployeeSummary[]>();
  const matchAll = useAction(listMatchingAction, setAllMatching);
  const isWholePage = selection.chosen.size === employees.length;
  // After one person is unchosen, an action applies only to the chosen people of this page.
  const everyone = isWholePage ? allMatching : undefined;
  const chosen = everyone ?? employees.filter(({ id }) => selection.isChosen(id));
  const changeable = chosen.filter(({ isProtected }) => !isProtected);
  const inactive = changeable.filter(({ active }) => !active);
  const active = changeable.filter(({ active }) => active);
  const unopened = chosen.filter(
    ({ active, isOwner, isManager, portal, username, invitedUntil }) =>
      active && !isOwner && !isManager && !portal && (username ?? invitedUntil),
  );
  const invitable = chosen.filter(({ active, username }) => active && username === null);
  const offer = (what: What, people: EmployeeSummary[], icon: BulkAction['icon'], text: string) =>
    people.length > 0 && { text, icon, onChoose: () => setAsking({ what, people }) };
  const actions: (BulkAction | false)[] = [
    !isWholePage && { text: t('chooseAllShort'), icon: ListChecks, onChoose: selection.toggleAll, isForPhones: true },
    offer('invite', invitable, Link2, t('bulkInvite', { count: invitable.length })),
    offer('remind', unopened, BellRing, t('remind', { count: unopened.length })),
    offer('role', changeable, BriefcaseBusiness, t('changeRole')),
    offer('activate', inactive, UserRoundCheck, t('activate')),
    offer('deactivate', active, UserRoundX, t('deactivate')),
  ];
  const cancel = () => setAsking(undefined);
  const leave = () => {
    cancel();
    setAllMatching(undefined);
    selection.clear();
    router.refresh();
  };
  const finish = (changed: Done) => {
    setDone(changed);
    leave();
  };
  const people = asking?.people ?? [];
  const ids = people.map(({ id }) => id);
  const change = { ids, active: asking?.what === 'activate' };
  const roles = [...new Set(employees.map(({ role }) => role))].toSorted();
  return (
    <>
      <BulkBar selection={{ ...selection, chosen: new Set(chosen.map(({ id }) => id)) }}>
        <BulkButtons actions={actions.filter((action) => action !== false)} />
        {isWholePage && !everyone && matching.count > employees.length && (
          <Button
            flex={{ base: '1 1 100%', sm: '0 1 auto' }}
            variant="light"
            loading={matchAll.pending}
            onClick={() => void matchAll.run(matching.query)}
          >
            {matching.count > maxMatching
              ? t('chooseFirst', { most: maxMatching, count: matching.count })
              : t('chooseMatching', { count: matching.count })}
          </Button>
        )}
      </BulkBar>
      {asking?.what === 'role' && (
        <FormDialog
          title={t('bulkRoleTitle', { count: ids.length })}
          submit={t('changeRole')}
          action={({ role = '' }) => setEmployeeRolesAction({ ids, role })}
          onDone={finish}
          onClose={cancel}
        >
          <RoleField roles={roles} label={t('newRole')} data-autofocus />
          <Text>{t('bulkRoleText')}</Text>
        </FormDialog>
      )}
      {(asking?.what === 'invite' || asking?.what === 'remind') && (
        <MessagesDialog kind={asking.what} people={people} onCancel={cancel} onDone={leave} />
      )}
      {(asking?.what === 'activate' || asking?.what === 'deactivate') && (
        <ActionDialog
          action={setEmployeesActiveAction}
          input={change}
          title={t(change.active ? 'bulkActivateTitle' : 'bulkDeactivateTitle', { count: ids.length })}
          submit={t(asking.what)}
          isDestructive={!change.active}
          onClose={cancel}
          onDone={({ count }) => finish({ count, change })}
          text={t(change.active ? 'bulkActivateText' : 'bulkDeactivateText')}
        />
      )}
      <div role="status">{done && <BulkDone done={done} onUndone={finish} onClose={() => setDone(undefined)} />}</div>
    </>
  );
}

type DoneProps = { done: Done; onUndone: (done: Done) => void; onClose: () => void };

function BulkDone({ done: { count, change }, onUndone, onClose }: DoneProps) {
  const t = useTranslations('employees');
  const { run, pending, problems } = useAction(setEmployeesActiveAction, ({ count }) =>
    onUndone({ count, change: change && { ...change, active: !change.active } }),
  );
  if (!change)
    return <DoneLine icon={<BriefcaseBusiness size={20} />} text={t('bulkRoleChanged', { count })} onClose={onClose} />;
  const { ids, active } = change;
  return (
    <DoneLine
      icon={active ? <UserRoundCheck size={20} /> : <UserRoundX size={20} />}
      text={problems.form ?? t(active ? 'bulkActivated' : 'bulkDeactivated', { count })}
      onClose={onClose}
    >
      <Button variant="light" loading={pending} onClick={() => void run({ ids, active: !active })}>
        {t(active ? 'deactivateAgain' : 'activateAgain')}
      </Button>
    </DoneLine>
  );
}
