import { Card, Text } from '@mantine/core';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { answerOf } from '#app/portal/notification/item.ts';
import { CompanyLogo, pictureOf } from '#app/ui/frame/company-logo.tsx';
import { BackLink, PageHead } from '#app/ui/frame/page-head.tsx';
import { FactRows } from '#app/ui/lists/facts.tsx';
import { IdText, NumberText } from '#app/ui/lists/list-query.ts';
import { MessagePicture } from '#app/ui/pictures/message-picture.tsx';
import { MarkedText, MarkedTitle } from '#app/ui/text/marked-text.tsx';
import { PrintButton } from '#app/ui/text/print-button.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { findLogo } from '#server/companies/logo.ts';
import { findRecipient, findSend, listReminders } from '#server/sends/history/details.ts';
import { findPicture } from '#server/sends/pictures/pictures.ts';

export const generateMetadata = titled('proof', 'title');

/** The facts of one notification and one recipient. Says so where a fact is unknown. */
export default async function Proof({ params }: PageProps<'/owner/sends/[no]/[employeeId]'>) {
  const address = await params;
  const manager = await requireManager(`/owner/sends/${address.no}/${address.employeeId}`);
  const no = NumberText.safeParse(address.no).data;
  const employeeId = IdText.safeParse(address.employeeId).data;
  if (no === undefined || employeeId === undefined) notFound();
  const [send, person, reminders, logo, picture] = await Promise.all([
    findSend(manager, no),
    findRecipient(manager, no, employeeId),
    listReminders(manager, no, employeeId),
    findLogo(manager),
    findPicture(manager, { no }),
  ]);
  if (!send || !person) notFound();
  const [t, kind] = await Promise.all([getTranslations('proof'), getTranslations('inbox.kind')]);
  const { url, withdrawnAt, closedAt, correctedAt, requestId, mustConfirm, answers } = send;
  const { shownAt, readAt, confirmedAt } = person;
  const sender = { name: send.sentBy ?? send.sender };
  const time = (timestamp: Date | null, missing: string) => (timestamp ? <Timestamp at={timestamp} /> : missing);
  const corrected = correctedAt && (
    <>
      {t.rich('correctedAt', { time: () => <Timestamp at={correctedAt} /> })}
      {confirmedAt && confirmedAt < correctedAt && <strong> {t('formerConfirmed')}</strong>}
    </>
  );
  const given = answerOf({ answers, answer: person.answer });
  const notAnswered = answers ? 'notAnswered' : mustConfirm ? 'notConfirmed' : 'notDemanded';
  const confirmed = (
    <>
      {given && <strong dir="auto">{given}</strong>} {time(confirmedAt, t(notAnswered))}
    </>
  );
  const recipient = (
    <>
      <strong>
        <bdi>{person.name}</bdi>
      </strong>
      <br />
      {t('idRole', { id: person.id, role: person.role })}
    </>
  );
  const text = (
    <span className="multiline" dir="auto">
      <MarkedText text={send.body} />
    </span>
  );
  const reminded = reminders.map(({ no, createdAt }) => (
    <span key={no} style={{ display: 'block' }}>
      <Timestamp at={createdAt} />
    </span>
  ));
  return (
    <>
      <BackLink href={`/owner/sends/${no}`} text={t('back')} />
      {logo && (
        <div>
          <CompanyLogo logo={pictureOf(logo)} size={40} />
        </div>
      )}
      <PageHead title={t('title')} lead={t('lead', { company: manager.companyName })}>
        <PrintButton text={t('print')} />
      </PageHead>
      <Card withBorder>
        <FactRows
          small
          rows={[
            { name: t('company'), value: <bdi>{manager.companyName}</bdi> },
            { name: t('person'), value: recipient },
            { name: t('heading'), value: <MarkedTitle text={send.title} /> },
            { name: t('text'), value: text },
            corrected !== null && { name: t('correction'), value: corrected },
            picture !== null && { name: t('picture'), value: <MessagePicture picture={picture} title={send.title} /> },
            { name: t('kind'), value: kind(send.kind) },
            { name: t('link'), value: url === null ? t('noLink') : <bdi>{url}</bdi> },
            { name: t('sentBy'), value: <bdi>{send.isManual ? t('isManual', sender) : t('byKey', sender)}</bdi> },
            { name: t('sentAt'), value: <Timestamp at={send.createdAt} /> },
            { name: t('shownAt'), value: time(shownAt, t(confirmedAt ? 'notShownConfirmed' : 'notShown')) },
            { name: t('readAt'), value: time(readAt, t(person.read ? 'readSometime' : 'notRead')) },
            answers !== null && { name: t('answers'), value: <bdi>{answers.join(' / ')}</bdi> },
            { name: t(answers ? 'answer' : 'confirmedAt'), value: confirmed },
            reminders.length > 0 && { name: t('reminded'), value: reminded },
            closedAt !== null && { name: t('closedAt'), value: <Timestamp at={closedAt} /> },
            withdrawnAt !== null && { name: t('withdrawn'), value: <Timestamp at={withdrawnAt} /> },
            { name: t('number'), value: send.no },
            { name: t('request'), value: requestId ? <code>{requestId}</code> : t('unknown') },
          ]}
        />
      </Card>
      <Text className="fine-print" mt="md">
        {t('meaning')}
      </Text>
      <Text className="fine-print" mt="xs">
        {t.rich('madeAtRich', { time: () => <Timestamp at={new Date()} /> })}
      </Text>
    </>
  );
}
