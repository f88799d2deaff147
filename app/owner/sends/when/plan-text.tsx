import { useFormatter, useLocale, useTranslations } from 'next-intl';
import { serviceNow } from '#app/ui/text/times.ts';
import { indonesianZones } from '#app/ui/text/timestamp.tsx';
import type { Schedule } from '#server/sends/planned/send-rules.ts';

// 2024 began on a Monday.
const dayOfWeek = (weekday: number) => new Date(Date.UTC(2024, 0, weekday));

/** Functions that say when a planned send leaves, in the time zone of the company and not of the browser. */
export function usePlanText(timeZone: string) {
  const t = useTranslations('planned');
  const format = useFormatter();
  const locale = useLocale();
  const zone = indonesianZones[timeZone] ?? timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;
  const clock = (time: string) =>
    format.dateTime(new Date(`2024-01-01T${time}Z`), {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: 'UTC',
    });
  const day = (date: string) =>
    format.dateTime(new Date(`${date}T00:00Z`), {
      weekday: 'long',
      day: 'numeric',
      month: 'short',
      year: date.startsWith(String(serviceNow().getFullYear())) ? undefined : 'numeric',
      timeZone: 'UTC',
    });
  const weekday = (number: number, length: 'long' | 'short' = 'long') =>
    format.dateTime(dayOfWeek(number), { weekday: length, timeZone: 'UTC' });
  const list = (days: number[]) =>
    new Intl.ListFormat(locale, { type: 'conjunction' }).format(days.toSorted((a, b) => a - b).map((n) => weekday(n)));
  return {
    zone,
    weekday,
    /** "Monday, 30 Nov at 08:00 WIB". */
    moment: (date: string, time: string) => t('moment', { day: day(date), time: clock(time), zone }),
    /** "Every Monday and Thursday at 08:00 WIB". */
    schedule: ({ every, weekdays, monthDay, time }: Schedule) => {
      const at = t('at', { time: clock(time), zone });
      if (every === 'day') return t('everyDay', { at });
      if (every === 'week')
        return weekdays.length === 7 ? t('everyDay', { at }) : t('everyWeek', { days: list(weekdays), at });
      return monthDay === 31 ? t('everyLast', { at }) : t('everyMonth', { day: String(monthDay ?? 1), at });
    },
    /** ", until 24 Dec"; empty without an end. */
    until: (endsOn: string | null) => (endsOn === null ? '' : t('until', { day: day(endsOn) })),
  };
}
