'use client';

import { Button, Text } from '@mantine/core';
import { BellRing, BriefcaseBusiness, Link2, ListChecks, Printer, UserRoundCheck, UserRoundX } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { listMatchingAction, setEmployeeRolesAction, setEmployeesActiveAction } from '#app/owner/employees/actions.ts';
import { RoleField } from '#app/owner/employees/employee-form.tsx';
import { BulkInviteDialog, RemindDialog } from '#app/owner/employees/messages-dialog.tsx';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { DoneLine } from '#app/ui/frame/done-line.tsx';
import { type BulkAction, BulkBar, BulkButtons, type Selection } from '#app/ui/lists/selection.tsx';
import { ActionDialog } from '#app/ui/sessions/confirmed-action.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

/** All people who match the filters of the list: the address's parameters, and a count. */
export type Matching = { query: Record<string, string>; count: number };

// As many as one bulk change takes.
const maxMatching = 200;

type Change = { ids: number[]; active: boolean };
type Done = Change & { count: number };

/**
 * What can be done with the chosen employees: choose all that match, invite, print, remind, change
 * the role, activate, deactivate. Offers only what fits some of them.
 */
export function BulkActions({
  employees,
  selection,
  company,
  matching,
}: {
  employees: EmployeeSummary[];
  selection: Selection;
  company: string;
  matching: Matching;
}) {
  const t = useTranslations('employees');
  const router = useRouter();
  const [asking, setAsking] = useState<
    Change | { invite: EmployeeSummary[] } | { remind: EmployeeSummary[] } | 'role'
  >();
  const [done, setDone] = useState<Done>();
  const [changedRoles, setChangedRoles] = useState<number>();
  const [found, setFound] = useState<EmployeeSummary[]>();
  const matchAll = useAction(listMatchingAction, setFound);
  const isWholePage = selection.chosen.size === employees.length;
  // When one person is taken off, the others of the page are meant.
  const everyone = isWholePage ? found : undefined;
  const chosen = everyone ?? employees.filter(({ id }) => selection.isChosen(id));
  const changeable = chosen.filter(({ isProtected }) => !isProtected);
  const unopened = chosen.filter(
    ({ active, portal, username, invitedUntil, isOwner, isManager }) =>
      active && !portal && (username ?? invitedUntil) && !isOwner && !isManager,
  );
  const invitable = chosen.filter(({ active, username }) => active && username === null);
  const printable = chosen.filter(({ active, isOwner, isManager }) => active && !isOwner && !isManager);
  const idsOf = (wanted: boolean) =>
    chosen.filter(({ active, isProtected }) => active === wanted && !isProtected).map(({ id }) => id);
  const [inactive, active] = [idsOf(false), idsOf(true)];
  const sheet = `/owner/employees/sheet?ids=${printable.map(({ id }) => id).join(',')}`;
  const invite = () => setAsking({ invite: invitable });
  const remind = () => setAsking({ remind: unopened });
  const actions: (BulkAction | false)[] = [
    !isWholePage && { text: t('chooseAllShort'), icon: ListChecks, onChoose: selection.toggleAll, isForPhones: true },
    invitable.length > 0 && {
      text: t('bulkInvite', { count: invitable.length }),
      icon: Link2,
      onChoose: invite,
    },
    printable.length > 0 && { text: t('bulkPrint'), icon: Printer, href: sheet },
    unopened.length > 0 && { text: t('remind', { count: unopened.length }), icon: BellRing, onChoose: remind },
    changeable.length > 0 && { text: t('changeRole'), icon: BriefcaseBusiness, onChoose: () => setAsking('role') },
    inactive.length > 0 && {
      text: t('activate'),
      icon: UserRoundCheck,
      onChoose: () => setAsking({ ids: inactive, active: true }),
    },
    active.length > 0 && {
      text: t('deactivate'),
      icon: UserRoundX,
      isDestructive: true,
      onChoose: () => setAsking({ ids: active, active: false }),
    },
  ];
  const leave = () => {
    setAsking(undefined);
    setFound(undefined);
    selection.clear();
    router.refresh();
  };
  const finish = (change: Done) => {
    setDone(change);
    setChangedRoles(undefined);
    leave();
  };
  const finishRoles = ({ count }: { count: number }) => {
    setDone(undefined);
    setChangedRoles(count);
    leave();
  };
  return (
    <>
      <BulkBar selection={{ ...selection, chosen: new Set(chosen.map(({ id }) => id)) }}>
        <BulkButtons actions={actions.filter((action) => action !== false)} />
        {isWholePage && !everyone && matching.count > employees.length && (
          <Button
            className="bulk-wide"
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
      {asking === 'role' && (
        <BulkRoleDialog
          ids={changeable.map(({ id }) => id)}
          roles={[...new Set(employees.map(({ role }) => role))].toSorted()}
          onClose={() => setAsking(undefined)}
          onDone={finishRoles}
        />
      )}
      {typeof asking === 'object' && 'remind' in asking && (
        <RemindDialog people={asking.remind} company={company} onCancel={() => setAsking(undefined)} onDone={leave} />
      )}
      {typeof asking === 'object' && 'active' in asking && (
        <BulkActivityDialog change={asking} onClose={() => setAsking(undefined)} onDone={finish} />
      )}
      {typeof asking === 'object' && 'invite' in asking && (
        <BulkInviteDialog
          people={asking.invite}
          company={company}
          onCancel={() => setAsking(undefined)}
          onDone={leave}
        />
      )}
      <div role="status">
        {changedRoles !== undefined && (
          <DoneLine
            icon={<BriefcaseBusiness aria-hidden size={20} />}
            text={t('bulkRoleChanged', { count: changedRoles })}
            onClose={() => setChangedRoles(undefined)}
          />
        )}
      </div>
      <div role="status">
        {done && <ActivityLine done={done} onUndone={finish} onClose={() => setDone(undefined)} />}
      </div>
    </>
  );
}

function BulkActivityDialog({
  change,
  onClose,
  onDone,
}: {
  change: Change;
  onClose: () => void;
  onDone: (done: Done) => void;
}) {
  const t = useTranslations('employees');
  const count = change.ids.length;
  return (
    <ActionDialog
      action={setEmployeesActiveAction}
      input={change}
      title={t(change.active ? 'bulkActivateTitle' : 'bulkDeactivateTitle', { count })}
      submit={t(change.active ? 'activate' : 'deactivate')}
      isDestructive={!change.active}
      onClose={onClose}
      onDone={(result) => onDone({ ...change, ...result })}
    >
      <Text>{t(change.active ? 'bulkActivateText' : 'bulkDeactivateText')}</Text>
    </ActionDialog>
  );
}

// Asks for the new role of several people. `roles` are suggested.
function BulkRoleDialog({
  ids,
  roles,
  onClose,
  onDone,
}: {
  ids: number[];
  roles: string[];
  onClose: () => void;
  onDone: (result: { count: number }) => void;
}) {
  const t = useTranslations('employees');
  const [role, setRole] = useState('');
  const { run, pending, problems } = useAction(setEmployeeRolesAction, onDone);
  return (
    <ConfirmDialog
      title={t('bulkRoleTitle', { count: ids.length })}
      submit={t('changeRole')}
      problem={problems.form}
      pending={pending}
      onClose={onClose}
      onConfirm={() => void run({ ids, role })}
    >
      <RoleField
        name="role"
        roles={roles}
        label={t('newRole')}
        error={problems.role}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value)}
        required
        data-autofocus
      />
      <Text>{t('bulkRoleText')}</Text>
    </ConfirmDialog>
  );
}

type ActivityLineProps = { done: Done; onUndone: (done: Done) => void; onClose: () => void };

// Says what was done, and offers the reverse.
function ActivityLine({ done: { ids, active, count }, onUndone, onClose }: ActivityLineProps) {
  const t = useTranslations('employees');
  const back = { ids, active: !active };
  const { run, pending, problems } = useAction(setEmployeesActiveAction, ({ count }) => onUndone({ ...back, count }));
  return (
    <DoneLine
      icon={active ? <UserRoundCheck aria-hidden size={20} /> : <UserRoundX aria-hidden size={20} />}
      text={problems.form ?? t(active ? 'bulkActivated' : 'bulkDeactivated', { count })}
      onClose={onClose}
    >
      <Button variant="light" loading={pending} onClick={() => void run(back)}>
        {t(active ? 'deactivateAgain' : 'activateAgain')}
      </Button>
    </DoneLine>
  );
}
