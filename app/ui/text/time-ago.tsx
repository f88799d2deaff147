'use client';

import { useFormatter, useNow } from 'next-intl';
import { useExactTime } from '#app/ui/text/moment.tsx';

/** How long ago a moment was, kept up to date; the exact time is in its title. */
export function TimeAgo({ at }: { at: Date | string }) {
  const format = useFormatter();
  const now = useNow({ updateInterval: 20_000 });
  const { date, full } = useExactTime(at);
  // What arrived since the clock of the page last moved is new, not in the future.
  const since = new Date(Math.max(date.getTime(), now.getTime()));
  return (
    <time dateTime={date.toISOString()} title={full} suppressHydrationWarning>
      {format.relativeTime(date, since)}
    </time>
  );
}
