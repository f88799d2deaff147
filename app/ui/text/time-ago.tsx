'use client';

import { useFormatter, useNow, useTranslations } from 'next-intl';
import { serviceNow } from '#app/ui/text/times.ts';
import { useExactTime } from '#app/ui/text/timestamp.tsx';

const justNowMs = 20_000;

/** How long ago something was, updated every 20 s. Its title has the exact time. */
export function TimeAgo({ at }: { at: Date | string }) {
  const t = useTranslations('app');
  const format = useFormatter();
  useNow({ updateInterval: 20_000 });
  const { date, full } = useExactTime(at);
  // The clocks may differ by a moment: a time that has just arrived is never shown as in the future.
  const since = new Date(Math.max(date.getTime(), serviceNow().getTime()));
  return (
    <time dateTime={date.toISOString()} title={full} suppressHydrationWarning>
      {since.getTime() - date.getTime() < justNowMs ? t('justNow') : format.relativeTime(date, since)}
    </time>
  );
}
