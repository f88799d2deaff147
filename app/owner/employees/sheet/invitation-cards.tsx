'use client';

import '#app/owner/employees/sheet/sheet.css';
import { Alert, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import type { CreatedInvitation } from '#app/owner/employees/actions.ts';
import { CompanyLogo, type LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { PrintButton } from '#app/ui/text/print-button.tsx';
import { QrCode } from '#app/ui/text/qr-code.tsx';

/**
 * The invitations as cards to print. The links exist only here. Until the print dialog closes, the
 * browser warns before the page closes.
 */
export function InvitationCards({
  invitations,
  ...sender
}: {
  invitations: CreatedInvitation[];
  company: string;
  logo: LogoPicture | null;
}) {
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

function InvitationCard({
  invitation: { employeeId, name, role, username, link },
  company,
  logo,
}: {
  invitation: CreatedInvitation;
  company: string;
  logo: LogoPicture | null;
}) {
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

/** Marks the page as one that is printed: on paper, sheet.css hides all but its content. */
export function usePrintedSheet(): void {
  // Not `:has(.sheet)` in the styles, which Firefox before 121 does not know.
  useEffect(() => {
    document.documentElement.toggleAttribute('data-sheet', true);
    return () => document.documentElement.removeAttribute('data-sheet');
  }, []);
}
