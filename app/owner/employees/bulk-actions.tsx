'use client';

import { Alert, Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import { Link2, Printer, Share2, UserRoundCheck, UserRoundX } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { createInvitationsAction, setEmployeesActiveAction } from '#app/owner/employees/actions.ts';
import type { CreatedInvitation } from '#app/owner/employees/created-invitation.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { CopyField } from '#app/ui/forms/copy-field.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { StatusLine } from '#app/ui/frame/status-line.tsx';
import { BulkBar, type Selection } from '#app/ui/lists/selection.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

type Change = { ids: number[]; active: boolean };
type Done = Change & { count: number };

/**
 * What can be done with the chosen employees: invite, print, activate, deactivate. Offers only what
 * fits some of them.
 */
export function BulkActions({
  employees,
  selection,
  company,
}: {
  employees: EmployeeSummary[];
  selection: Selection;
  company: string;
}) {
  const t = useTranslations('employees');
  const router = useRouter();
  const [asking, setAsking] = useState<Change | { invite: EmployeeSummary[] }>();
  const [done, setDone] = useState<Done>();
  const chosen = employees.filter(({ id }) => selection.isChosen(id));
  const invitable = chosen.filter(({ active, username }) => active && username === null);
  const printable = chosen.filter(({ active, isOwner, isManager }) => active && !isOwner && !isManager);
  const idsOf = (wanted: boolean) =>
    chosen.filter(({ active, isProtected }) => active === wanted && !isProtected).map(({ id }) => id);
  const [inactive, active] = [idsOf(false), idsOf(true)];
  const finish = (change: Done) => {
    setAsking(undefined);
    setDone(change);
    selection.clear();
    router.refresh();
  };
  return (
    <>
      <BulkBar selection={selection}>
        {invitable.length > 0 && (
          <Button
            variant="light"
            leftSection={<Link2 aria-hidden size={18} />}
            onClick={() => setAsking({ invite: invitable })}
          >
            {t('bulkInvite', { count: invitable.length })}
          </Button>
        )}
        {printable.length > 0 && (
          <ButtonLink
            variant="light"
            icon={<Printer aria-hidden size={18} />}
            href={`/owner/employees/sheet?ids=${printable.map(({ id }) => id).join(',')}`}
          >
            {t('bulkPrint')}
          </ButtonLink>
        )}
        {inactive.length > 0 && (
          <Button
            variant="light"
            leftSection={<UserRoundCheck aria-hidden size={18} />}
            onClick={() => setAsking({ ids: inactive, active: true })}
          >
            {t('activate')}
          </Button>
        )}
        {active.length > 0 && (
          <Button
            variant="light"
            color="red"
            leftSection={<UserRoundX aria-hidden size={18} />}
            onClick={() => setAsking({ ids: active, active: false })}
          >
            {t('deactivate')}
          </Button>
        )}
      </BulkBar>
      {asking && 'active' in asking && (
        <BulkActivityDialog change={asking} onClose={() => setAsking(undefined)} onDone={finish} />
      )}
      {asking && 'invite' in asking && (
        <BulkInviteDialog
          people={asking.invite}
          company={company}
          onClose={() => {
            setAsking(undefined);
            selection.clear();
            router.refresh();
          }}
        />
      )}
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
  onClose,
}: {
  people: EmployeeSummary[];
  company: string;
  onClose: () => void;
}) {
  const t = useTranslations('employees');
  const form = useTranslations('form');
  const [links, setLinks] = useState<CreatedInvitation[]>();
  const { run, pending, problems, dialog } = useProvedAction(createInvitationsAction, setLinks);
  const ending = people.filter(({ invitedUntil }) => invitedUntil !== null).length;
  return (
    <>
      <Dialog
        onClose={onClose}
        title={t('bulkInviteTitle', { count: links?.length ?? people.length })}
        size="lg"
        closeOnClickOutside={links === undefined}
      >
        <Stack>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <Text>{t(links ? 'bulkInviteOnce' : 'bulkInviteText')}</Text>
          {!links && ending > 0 && <Alert color="yellow">{t('bulkInviteEnding', { count: ending })}</Alert>}
          {links && <InvitationLinks links={links} company={company} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {form(links ? 'close' : 'cancel')}
            </Button>
            {!links && (
              <Button loading={pending} onClick={() => void run(people.map(({ id }) => id))}>
                {t('bulkMakeLinks', { count: people.length })}
              </Button>
            )}
          </Group>
        </Stack>
      </Dialog>
      {dialog}
    </>
  );
}

function InvitationLinks({ links, company }: { links: CreatedInvitation[]; company: string }) {
  const t = useTranslations('employees');
  const messageOf = ({ name, link }: CreatedInvitation) => t('inviteMessage', { name, company, link });
  return (
    <>
      <ul className="plain-list invitation-links">
        {links.map((invitation) => (
          <li key={invitation.employeeId} data-invited={invitation.employeeId}>
            <span>
              <bdi>{invitation.name}</bdi>
              <span className="list-sub">{invitation.link}</span>
            </span>
            <Button
              component="a"
              variant="default"
              href={`https://wa.me/?text=${encodeURIComponent(messageOf(invitation))}`}
              target="_blank"
              rel="noreferrer noopener"
              leftSection={<Share2 aria-hidden size={18} />}
              aria-label={t('bulkShare', { name: invitation.name })}
            >
              WhatsApp
            </Button>
          </li>
        ))}
      </ul>
      <CopyField
        label={t('bulkAllLinks')}
        value={links.map(({ name, link }) => `${name}: ${link}`).join('\n')}
        copyLabel={t('bulkCopyAll')}
      />
    </>
  );
}
