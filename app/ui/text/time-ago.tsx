'use client';

import { useFormatter, useNow } from 'next-intl';
import { serviceNow } from '#app/ui/text/service-time.ts';
import { useExactTime } from '#app/ui/text/timestamp.tsx';

/** How long ago something was, updated every 20 s. Its title has the exact time. */
export function TimeAgo({ at }: { at: Date | string }) {
  const format = useFormatter();
  useNow({ updateInterval: 20_000 });
  const { date, full } = useExactTime(at);
  // What has just arrived is not in the future.
  const since = new Date(Math.max(date.getTime(), serviceNow().getTime()));
  return (
    <time dateTime={date.toISOString()} title={full} suppressHydrationWarning>
      {format.relativeTime(date, since)}
    </time>
  );
}
