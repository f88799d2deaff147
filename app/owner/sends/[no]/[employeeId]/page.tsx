import { Card, Group, Text } from '@mantine/core';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { titled } from '#app/language/page-title.ts';
import { CompanyLogo, pictureOf } from '#app/ui/frame/company-logo.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { Fact, Facts } from '#app/ui/lists/facts.tsx';
import { IdText, NumberText } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/links.tsx';
import { PrintButton } from '#app/ui/text/print-button.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { findLogo } from '#server/companies/logo.ts';
import { findRecipient, findSend, listReminders, type SendDetails } from '#server/sends/history/details.ts';
import type { Recipient } from '#server/sends/history/recipients.ts';

export const generateMetadata = titled('proof', 'title');

type Props = { params: Promise<{ no: string; employeeId: string }> };

export default async function Proof({ params }: Props) {
  const address = await params;
  const manager = await requireManager(`/owner/sends/${address.no}/${address.employeeId}`);
  const no = NumberText.safeParse(address.no).data;
  const employeeId = IdText.safeParse(address.employeeId).data;
  if (no === undefined || employeeId === undefined) notFound();
  const [send, person, reminders, logo] = await Promise.all([
    findSend(manager, no),
    findRecipient(manager, no, employeeId),
    listReminders(manager, no, employeeId),
    findLogo(manager),
  ]);
  if (!send || !person) notFound();
  const t = await getTranslations('proof');
  return (
    <>
      <div className="no-print">
        <TextLink href={`/owner/sends/${no}`}>{t('back')}</TextLink>
      </div>
      {logo && (
        <div className="proof-logo">
          <CompanyLogo logo={pictureOf(logo)} size={40} />
        </div>
      )}
      <PageHead title={t('title')} lead={t('lead', { company: manager.companyName })}>
        <div className="no-print">
          <PrintButton text={t('print')} variant="default" />
        </div>
      </PageHead>
      <Card withBorder>
        <ProofFacts company={manager.companyName} send={send} person={person} reminders={reminders} />
      </Card>
      <Text size="sm" c="dimmed" mt="md">
        {t('meaning')}
      </Text>
      <Group component="p" gap={0} mt="xs" mb={0}>
        <Text component="span" size="sm" c="dimmed">
          {t.rich('madeAtRich', { time: () => <Timestamp at={new Date()} /> })}
        </Text>
      </Group>
    </>
  );
}

type FactsProps = {
  company: string;
  send: SendDetails;
  person: Recipient;
  reminders: { no: number; createdAt: Date }[];
};

/** The facts of one notification and one recipient. Says so where a fact is unknown. */
async function ProofFacts({ company, send, person, reminders }: FactsProps) {
  const t = await getTranslations();
  const sender = send.sentBy ?? send.sender;
  return (
    <Facts>
      <Fact small name={t('proof.company')}>
        <bdi>{company}</bdi>
      </Fact>
      <Fact small name={t('proof.person')}>
        <strong>
          <bdi>{person.name}</bdi>
        </strong>
        <br />
        {t('proof.idRole', { id: person.id, role: person.role })}
      </Fact>
      <Fact small name={t('proof.heading')}>
        <strong dir="auto">{send.title}</strong>
      </Fact>
      <Fact small name={t('proof.text')}>
        <span className="multiline" dir="auto">
          {send.body}
        </span>
      </Fact>
      <Fact small name={t('proof.kind')}>
        {t(`inbox.kind.${send.kind}`)}
      </Fact>
      <Fact small name={t('proof.link')}>
        {send.url === null ? t('proof.noLink') : <bdi>{send.url}</bdi>}
      </Fact>
      <Fact small name={t('proof.sentBy')}>
        <bdi>{send.isManual ? t('proof.isManual', { name: sender }) : t('proof.byKey', { name: sender })}</bdi>
      </Fact>
      <Fact small name={t('proof.sentAt')}>
        <Timestamp at={send.createdAt} />
      </Fact>
      <Times send={send} person={person} reminders={reminders} />
      <Fact small name={t('proof.number')}>
        {send.no}
      </Fact>
      <Fact small name={t('proof.request')}>
        {send.requestId ? <code>{send.requestId}</code> : t('proof.unknown')}
      </Fact>
    </Facts>
  );
}

async function Times({ send, person, reminders }: Omit<FactsProps, 'company'>) {
  const t = await getTranslations('proof');
  const time = (at: Date | null, missing: string): ReactNode => (at ? <Timestamp at={at} /> : missing);
  return (
    <>
      <Fact small name={t('shownAt')}>
        {time(person.shownAt, t(person.confirmedAt ? 'notShownConfirmed' : 'notShown'))}
      </Fact>
      <Fact small name={t('readAt')}>
        {time(person.readAt, person.read ? t('readSometime') : t('notRead'))}
      </Fact>
      <Fact small name={t('confirmedAt')}>
        {time(person.confirmedAt, send.mustConfirm ? t('notConfirmed') : t('notDemanded'))}
      </Fact>
      {reminders.length > 0 && (
        <Fact small name={t('reminded')}>
          {reminders.map(({ no, createdAt }) => (
            <span key={no} style={{ display: 'block' }}>
              <Timestamp at={createdAt} />
            </span>
          ))}
        </Fact>
      )}
      {send.withdrawnAt && (
        <Fact small name={t('withdrawn')}>
          <Timestamp at={send.withdrawnAt} />
        </Fact>
      )}
    </>
  );
}
