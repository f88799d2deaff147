import { Card } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Fact } from '#app/owner/sends/fact.tsx';
import { sayRecipients } from '#app/owner/sends/recipients-text.ts';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import type { SendDetails } from '#server/sends/details.ts';

type Reminder = { no: number; createdAt: Date; reach: number };

/** The facts of a send: sender, recipient, times, reminders. */
export async function SendFacts({ send, reminders }: { send: SendDetails; reminders: Reminder[] }) {
  const [t, say] = [await getTranslations(), await getTranslations('sends')];
  const sender = send.sentBy ?? send.sender;
  return (
    <Card withBorder>
      <dl className="facts facts-columns">
        <Fact name={t('sends.sentBy')}>
          <bdi>{send.byHand ? t('sends.byHand', { name: sender }) : t('sends.byKey', { name: sender })}</bdi>
        </Fact>
        <Fact name={t('sends.to')}>
          <bdi>{sayRecipients(send, say('everyone'), say)}</bdi>
          {(send.skipped ?? 0) > 0 && ` (${say('reachSkipped', { reach: send.reach, skipped: send.skipped ?? 0 })})`}
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
