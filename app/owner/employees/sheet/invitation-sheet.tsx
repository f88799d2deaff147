'use client';

import '#app/owner/employees/sheet/sheet.css';
import { Alert, Button, Checkbox, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type CreatedInvitation, createInvitationsAction } from '#app/owner/employees/actions.ts';
import { CompanyLogo, type LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { ActionDialog } from '#app/ui/sessions/confirmed-action.tsx';
import { PrintButton, usePrintedSheet } from '#app/ui/text/print-button.tsx';
import { QrCode } from '#app/ui/text/qr-code.tsx';
import type { EmployeeSummary } from '#server/employees/employee-list.ts';

type Props = Sender & { people: EmployeeSummary[]; count: number; children: ReactNode };

/**
 * Lets the owner choose employees, creates invitation links after a confirmation, and shows them as
 * cards to print. First those are chosen who have neither a link nor an account. `children` are the filters of the choice.
 */
export function InvitationSheet({ people, count, children, ...sender }: Props) {
  const t = useTranslations('sheet');
  const [excluded, setExcluded] = useState(() => findHolders(people));
  const [isAsking, setIsAsking] = useState(false);
  const [invitations, setInvitations] = useState<CreatedInvitation[]>();
  const show = (created: CreatedInvitation[]) => {
    setIsAsking(false);
    setInvitations(created);
  };
  if (invitations) return <InvitationCards invitations={invitations} {...sender} />;
  const chosen = people.filter(({ id }) => !excluded.has(id));
  const holders = findHolders(people).size;
  const invited = chosen.filter(({ invitedUntil }) => invitedUntil !== null).length;
  const withAccount = chosen.filter(({ username }) => username !== null).length;
  return (
    <>
      {children}
      {people.length > 0 && (
        <>
          {holders > 0 && (
            <Text className="fine-print" mb="xs">
              {t('preselected', { count: holders })}
            </Text>
          )}
          <EmployeeChoice people={people} excluded={excluded} onChange={setExcluded} />
          <Text my="sm" role="status">
            {t('chosen', { chosen: chosen.length, count })}
          </Text>
          <Button disabled={chosen.length === 0} onClick={() => setIsAsking(true)}>
            {t('make', { count: chosen.length })}
          </Button>
        </>
      )}
      {isAsking && (
        <ActionDialog
          action={createInvitationsAction}
          input={chosen.map(({ id }) => id)}
          title={t('askTitle', { count: chosen.length })}
          submit={t('make', { count: chosen.length })}
          onClose={() => setIsAsking(false)}
          onDone={show}
        >
          <Text>{t('askText')}</Text>
          {invited > 0 && <Alert color="yellow">{t('askEnding', { count: invited })}</Alert>}
          {withAccount > 0 && <Text>{t('askAccounts', { count: withAccount })}</Text>}
        </ActionDialog>
      )}
    </>
  );
}

// The people who have a valid link or an account already. A new link would end the old one.
const findHolders = (people: EmployeeSummary[]): ReadonlySet<number> =>
  new Set(people.filter(({ username, invitedUntil }) => username ?? invitedUntil).map(({ id }) => id));

type ChoiceProps = {
  people: EmployeeSummary[];
  excluded: ReadonlySet<number>;
  onChange: (excluded: ReadonlySet<number>) => void;
};

function EmployeeChoice({ people, excluded, onChange }: ChoiceProps) {
  const t = useTranslations('sheet');
  const employees = useTranslations('employees');
  const toggle = (id: number) => {
    const next = new Set(excluded);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  const stateOf = ({ username, invitedUntil }: EmployeeSummary) =>
    username ? t('hasAccount') : invitedUntil ? employees('accounts.invited') : null;
  return (
    <fieldset className="choice">
      <legend>{t('who')}</legend>
      <Checkbox
        size="sm"
        label={t('everybody')}
        checked={excluded.size === 0}
        indeterminate={excluded.size > 0 && excluded.size < people.length}
        onChange={() => onChange(excluded.size === 0 ? new Set(people.map(({ id }) => id)) : new Set())}
      />
      <div className="choices">
        {people.map((person) => (
          <Checkbox
            key={person.id}
            size="sm"
            label={
              <span>
                <bdi>{person.name}</bdi> · <bdi>{person.role}</bdi>
                <Text span display="block" size="xs" c="dimmed">
                  {stateOf(person)}
                </Text>
              </span>
            }
            checked={!excluded.has(person.id)}
            onChange={() => toggle(person.id)}
          />
        ))}
      </div>
    </fieldset>
  );
}

type Sender = { company: string; logo: LogoPicture | null };

/**
 * The invitations as cards to print. The links exist only here. Until the print dialog closes, the
 * browser warns before the page closes.
 */
function InvitationCards({ invitations, ...sender }: Sender & { invitations: CreatedInvitation[] }) {
  const t = useTranslations('sheet');
  const heading = useRef<HTMLDivElement>(null);
  useEffect(() => heading.current?.focus(), []);
  usePrintedSheet();
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    const stopWarning = () => removeEventListener('beforeunload', warn);
    addEventListener('beforeunload', warn);
    addEventListener('afterprint', stopWarning);
    return () => {
      stopWarning();
      removeEventListener('afterprint', stopWarning);
    };
  }, []);
  return (
    <>
      <div className="no-print" ref={heading} tabIndex={-1}>
        <Alert color="yellow" role="status" mb="md">
          <Text fw={600}>{t('onceTitle', { count: invitations.length })}</Text>
          {t('once')}
        </Alert>
        <Group mb="md">
          <PrintButton text={t('print')} />
        </Group>
      </div>
      <ul className="sheet">
        {invitations.map((invitation) => (
          <InvitationCard key={invitation.employeeId} invitation={invitation} {...sender} />
        ))}
      </ul>
    </>
  );
}

function InvitationCard({ invitation, company, logo }: Sender & { invitation: CreatedInvitation }) {
  const { employeeId, name, role, username, link } = invitation;
  const t = useTranslations('sheet');
  return (
    <li className="sheet-card" data-employee={employeeId}>
      <QrCode text={link} label={t('qr', { name })} className="sheet-code" />
      <div className="sheet-text">
        <p className="sheet-company">
          {logo && <CompanyLogo logo={logo} size={24} />}
          <bdi>{company}</bdi>
        </p>
        <p className="sheet-name">
          <bdi>{name}</bdi>
        </p>
        <p className="sheet-role">
          <bdi>{role}</bdi>
        </p>
        <p>{username ? t('todoAgain', { username }) : t('todo')}</p>
        <p className="sheet-link" data-link>
          {link}
        </p>
      </div>
    </li>
  );
}
