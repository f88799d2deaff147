'use client';

import '#app/owner/employees/sheet/sheet.css';
import { Alert, Button, Group, Text } from '@mantine/core';
import { Printer } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { encode } from 'uqr';

/** A person of the sheet and their link. */
export type Card = { employeeId: number; name: string; role: string; username: string | null; link: string };

/** The cards of a sheet. Their links exist here only, so leaving the page before they are printed is asked about. */
export function InvitationCards({ cards, company }: { cards: Card[]; company: string }) {
  const t = useTranslations('sheet');
  const heading = useRef<HTMLDivElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const printed = () => removeEventListener('beforeunload', ask);
    addEventListener('beforeunload', ask);
    addEventListener('afterprint', printed);
    return () => {
      printed();
      removeEventListener('afterprint', printed);
    };
  }, []);
  return (
    <>
      <div className="no-print" ref={heading} tabIndex={-1}>
        <Alert color="yellow" role="status" mb="md">
          <Text fw={600}>{t('onceTitle', { count: cards.length })}</Text>
          {t('once')}
        </Alert>
        <Group mb="md">
          <Button leftSection={<Printer aria-hidden size={18} />} onClick={() => window.print()}>
            {t('print')}
          </Button>
        </Group>
      </div>
      <ul className="sheet">
        {cards.map((card) => (
          <InvitationCard key={card.employeeId} card={card} company={company} />
        ))}
      </ul>
    </>
  );
}

function InvitationCard({
  card: { employeeId, name, role, username, link },
  company,
}: {
  card: Card;
  company: string;
}) {
  const t = useTranslations('sheet');
  return (
    <li className="sheet-card" data-employee={employeeId}>
      <QrCode text={link} label={t('qr', { name })} />
      <div className="sheet-text">
        <p className="sheet-company">
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

function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const dots = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg
      className="sheet-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join('')} fill="#000" />
    </svg>
  );
}
