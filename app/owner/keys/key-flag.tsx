'use client';

import { useFormatter, useTranslations } from 'next-intl';
import type { KeyOverview } from '#server/keys/key-overview.ts';

/** What is unusual about a key, in a few words; nothing for a key that simply works. */
export function KeyFlag({ apiKey, replaces }: { apiKey: KeyOverview; replaces?: string }) {
  const t = useTranslations('keys');
  const formatDay = useDayText('medium');
  const { expiry, unused, revokedAt } = apiKey;
  if (revokedAt) return <span className="key-flag">{t('revoked')}</span>;
  if (expiry && expiry.state !== 'later')
    return (
      <span className="key-flag" data-tone="attention">
        {t(expiry.state === 'expired' ? 'expiredOn' : 'expiresSoon', { day: formatDay(expiry.on) })}
      </span>
    );
  if (unused)
    return (
      <span className="key-flag" data-tone="attention">
        {t('unused')}
      </span>
    );
  return replaces === undefined ? null : <span className="key-flag">{t('replaces', { name: replaces })}</span>;
}

/** Whether `KeyFlag` shows something for a key. */
export const hasFlag = ({ expiry, unused, revokedAt }: KeyOverview, replaces?: string): boolean =>
  revokedAt !== null || unused || replaces !== undefined || (expiry !== null && expiry.state !== 'later');

/** Returns a function that writes a day (YYYY-MM-DD) in the language of the page. */
export function useDayText(dateStyle: 'medium' | 'long'): (day: string) => string {
  const format = useFormatter();
  return (day) => format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle, timeZone: 'UTC' });
}
