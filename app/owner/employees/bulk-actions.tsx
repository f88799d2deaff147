'use client';

import { Button, CloseButton, Group, Text } from '@mantine/core';
import { BellRing, BriefcaseBusiness, Link2, ListChecks, Printer, UserRoundCheck, UserRoundX } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { createInvitationsAction, listMatchingAction, setEmployeesActiveAction } from '#app/owner/employees/actions.ts';
import { BulkRoleDialog } from '#app/owner/employees/bulk-role-dialog.tsx';
import type { CreatedInvitation } from '#app/owner/employees/created-invitation.ts';
import { MessagesDialog } from '#app/owner/employees/messages-dialog.tsx';
import { RemindDialog } from '#app/owner/employees/remind-dialog.tsx';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { StatusLine } from '#app/ui/frame/status-line.tsx';
import { type BulkAction, BulkButtons } from '#app/ui/lists/bulk-buttons.tsx';
import { BulkBar, type Selection } from '#app/ui/lists/selection.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
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
          <RolesChangedLine count={changedRoles} onClose={() => setChangedRoles(undefined)} />
        )}
      </div>
      <div role="status">{done && <DoneLine done={done} onUndone={finish} onClose={() => setDone(undefined)} />}</div>
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
  const { run, pending, problems } = useAction(setEmployeesActiveAction, ({ count }) => onDone({ ...change, count }));
  const count = change.ids.length;
  return (
    <ConfirmDialog
      title={t(change.active ? 'bulkActivateTitle' : 'bulkDeactivateTitle', { count })}
      submit={t(change.active ? 'activate' : 'deactivate')}
      isDestructive={!change.active}
      problem={problems.form}
      pending={pending}
      onClose={onClose}
      onConfirm={() => void run(change)}
    >
      <Text>{t(change.active ? 'bulkActivateText' : 'bulkDeactivateText')}</Text>
    </ConfirmDialog>
  );
}

function RolesChangedLine({ count, onClose }: { count: number; onClose: () => void }) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  return (
    <div className="status-bar">
      <StatusLine icon={<BriefcaseBusiness aria-hidden size={20} />} text={t('bulkRoleChanged', { count })}>
        <CloseButton size={44} aria-label={form('close')} onClick={onClose} />
      </StatusLine>
    </div>
  );
}

// Says what was done, and offers the reverse.
function DoneLine({
  done: { ids, active, count },
  onUndone,
  onClose,
}: {
  done: Done;
  onUndone: (done: Done) => void;
  onClose: () => void;
}) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const back = { ids, active: !active };
  const { run, pending, problems } = useAction(setEmployeesActiveAction, ({ count }) => onUndone({ ...back, count }));
  return (
    <div className="status-bar">
      <StatusLine
        icon={active ? <UserRoundCheck aria-hidden size={20} /> : <UserRoundX aria-hidden size={20} />}
        text={problems.form ?? t(active ? 'bulkActivated' : 'bulkDeactivated', { count })}
      >
        <Group gap={4} wrap="nowrap">
          <Button variant="light" loading={pending} onClick={() => void run(back)}>
            {t(active ? 'deactivateAgain' : 'activateAgain')}
          </Button>
          <CloseButton size={44} aria-label={form('close')} onClick={onClose} />
        </Group>
      </StatusLine>
    </div>
  );
}

function BulkInviteDialog({
  people,
  company,
  onCancel,
  onDone,
}: {
  people: EmployeeSummary[];
  company: string;
  onCancel: () => void;
  onDone: () => void;
}) {
  const t = useTranslations('employees');
  const [links, setLinks] = useState<CreatedInvitation[]>();
  const { run, pending, problems, dialog } = useProvedAction(createInvitationsAction, setLinks);
  const ending = people.filter(({ invitedUntil }) => invitedUntil !== null).length;
  const messages = links?.map(({ employeeId, name, link }) => ({
    employeeId,
    name,
    shown: link,
    copied: `${name}: ${link}`,
    message: t('inviteMessage', { name, company, link }),
  }));
  return (
    <>
      <MessagesDialog
        title={t('bulkInviteTitle', { count: links?.length ?? people.length })}
        text={t(links ? 'bulkInviteOnce' : 'bulkInviteText')}
        notice={ending > 0 && t('bulkInviteEnding', { count: ending })}
        problem={problems.form}
        make={{
          text: t('bulkMakeLinks', { count: people.length }),
          pending,
          run: () => void run(people.map(({ id }) => id)),
        }}
        messages={messages}
        shareLabel={(name) => t('bulkShare', { name })}
        onClose={messages ? onDone : onCancel}
      />
      {dialog}
    </>
  );
}
