import { Card } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Fact } from '#app/owner/sends/fact.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import type { SendDetails } from '#server/sends/details.ts';

type Reminder = { no: number; createdAt: Date; reach: number };

/** The facts of a send: sender, recipient, times, reminders. */
export async function SendFacts({ send, reminders }: { send: SendDetails; reminders: Reminder[] }) {
  const t = await getTranslations();
  const sender = send.sentBy ?? send.sender;
  return (
    <Card withBorder>
      <dl className="facts facts-columns">
        <Fact name={t('sends.sentBy')}>
          <bdi>{send.byHand ? t('sends.byHand', { name: sender }) : t('sends.byKey', { name: sender })}</bdi>
        </Fact>
        <Fact name={t('sends.to')}>
          <bdi>{send.recipientId === null ? t('sends.everyone') : send.recipientName}</bdi>
        </Fact>
        <Fact name={t('sends.sentAt')}>
          <Moment at={send.createdAt} />
        </Fact>
        <Fact name={t('sends.kind')}>{t(`inbox.kind.${send.kind}`)}</Fact>
        {send.url !== null && (
          <Fact name={t('sends.link')}>
            <bdi>{send.url}</bdi>
          </Fact>
        )}
        {send.withdrawnAt && (
          <Fact name={t('sends.withdrawnAt')}>
            <Moment at={send.withdrawnAt} />{' '}
            {send.withdrawnBy && <bdi>{t('sends.withdrawnBy', { name: send.withdrawnBy })}</bdi>}
          </Fact>
        )}
        {send.remindsNo !== null && (
          <Fact name={t('sends.reminder')}>
            <TextLink href={`/owner/sends/${send.remindsNo}`}>{t('sends.reminds', { no: send.remindsNo })}</TextLink>
          </Fact>
        )}
        {reminders.length > 0 && (
          <Fact name={t('sends.reminders')}>
            {reminders.map(({ no, createdAt, reach }) => (
              <span key={no} style={{ display: 'block' }}>
                <Moment at={createdAt} />, {t('sends.remindedAt', { count: reach })}
              </span>
            ))}
          </Fact>
        )}
      </dl>
      <details className="technical">
        <summary>{t('sends.technical')}</summary>
        <dl className="facts">
          <Fact name={t('sends.number')}>{send.no}</Fact>
          <Fact name={t('sends.request')}>{send.requestId ? <code>{send.requestId}</code> : t('sends.unknown')}</Fact>
        </dl>
      </details>
    </Card>
  );
}
