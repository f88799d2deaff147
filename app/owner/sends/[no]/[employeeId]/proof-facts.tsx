import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Fact } from '#app/owner/sends/fact.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import type { SendDetails } from '#server/sends/details.ts';
import type { Recipient } from '#server/sends/recipients.ts';

type Props = { company: string; send: SendDetails; person: Recipient; reminders: { no: number; createdAt: Date }[] };

/** The facts of one notification and one recipient. Says so where a fact is unknown. */
export async function ProofFacts({ company, send, person, reminders }: Props) {
  const t = await getTranslations();
  const sender = send.sentBy ?? send.sender;
  return (
    <dl className="facts">
      <Fact name={t('proof.company')}>
        <bdi>{company}</bdi>
      </Fact>
      <Fact name={t('proof.person')}>
        <strong>
          <bdi>{person.name}</bdi>
        </strong>
        <br />
        {t('proof.idRole', { id: person.id, role: person.role })}
      </Fact>
      <Fact name={t('proof.heading')}>
        <strong dir="auto">{send.title}</strong>
      </Fact>
      <Fact name={t('proof.text')}>
        <span className="multiline" dir="auto">
          {send.body}
        </span>
      </Fact>
      <Fact name={t('proof.kind')}>{t(`inbox.kind.${send.kind}`)}</Fact>
      <Fact name={t('proof.link')}>{send.url === null ? t('proof.noLink') : <bdi>{send.url}</bdi>}</Fact>
      <Fact name={t('proof.sentBy')}>
        <bdi>{send.byHand ? t('proof.byHand', { name: sender }) : t('proof.byKey', { name: sender })}</bdi>
      </Fact>
      <Fact name={t('proof.sentAt')}>
        <Moment at={send.createdAt} />
      </Fact>
      <Times send={send} person={person} reminders={reminders} />
      <Fact name={t('proof.number')}>{send.no}</Fact>
      <Fact name={t('proof.request')}>{send.requestId ? <code>{send.requestId}</code> : t('proof.unknown')}</Fact>
    </dl>
  );
}

async function Times({ send, person, reminders }: Omit<Props, 'company'>) {
  const t = await getTranslations('proof');
  const time = (at: Date | null, missing: string): ReactNode => (at ? <Moment at={at} /> : missing);
  return (
    <>
      <Fact name={t('shownAt')}>{time(person.shownAt, t(person.confirmedAt ? 'notShownConfirmed' : 'notShown'))}</Fact>
      <Fact name={t('readAt')}>{time(person.readAt, person.read ? t('readSometime') : t('notRead'))}</Fact>
      <Fact name={t('confirmedAt')}>
        {time(person.confirmedAt, send.mustConfirm ? t('notConfirmed') : t('notDemanded'))}
      </Fact>
      {reminders.length > 0 && (
        <Fact name={t('reminded')}>
          {reminders.map(({ no, createdAt }) => (
            <span key={no} style={{ display: 'block' }}>
              <Moment at={createdAt} />
            </span>
          ))}
        </Fact>
      )}
      {send.withdrawnAt && (
        <Fact name={t('withdrawn')}>
          <Moment at={send.withdrawnAt} />
        </Fact>
      )}
    </>
  );
}
