import { Alert } from '@mantine/core';
import { Clock, TriangleAlert } from 'lucide-react';
import { getFormatter, getTranslations } from 'next-intl/server';
import { Moment } from '#app/ui/text/moment.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

/** What its owner must know about a key first: it is revoked, has expired, or expires soon. */
export async function KeyNotice({ apiKey: { expiry, revokedAt } }: { apiKey: KeyOverview }) {
  const t = await getTranslations('keys');
  if (revokedAt)
    return (
      <Alert color="gray" role="note" data-notice="revoked">
        {t.rich('noticeRevoked', { when: () => <Moment at={revokedAt} /> })}
      </Alert>
    );
  if (!expiry || expiry.state === 'later') return null;
  const format = await getFormatter();
  const day = format.dateTime(new Date(`${expiry.on}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC' });
  const isExpired = expiry.state === 'expired';
  return (
    <Alert
      color={isExpired ? 'red' : 'orange'}
      role="note"
      icon={isExpired ? <TriangleAlert aria-hidden /> : <Clock aria-hidden />}
      data-notice={expiry.state}
    >
      {t(isExpired ? 'noticeExpired' : 'noticeSoon', { day })}
    </Alert>
  );
}
