import '#app/ui/text/short-time.css';
import { useFormatter, useTimeZone, useTranslations } from 'next-intl';
import { dayMs, isoDayOf, serviceNow } from '#app/ui/text/times.ts';

/** The abbreviations of the zones of Indonesia, by their IANA names. */
export const indonesianZones: Record<string, string> = {
  'Asia/Jakarta': 'WIB',
  'Asia/Pontianak': 'WIB',
  'Asia/Makassar': 'WITA',
  'Asia/Jayapura': 'WIT',
};

/** A time in the company's time zone, as Indonesians write it: "21 Nov 2026, 05.46 WIB". */
export function Timestamp({ at }: { at: Date | string }) {
  const { date, full } = useExactTime(at);
  return <time dateTime={date.toISOString()}>{full}</time>;
}

export function useExactTime(at: Date | string): { date: Date; full: string } {
  const format = useFormatter();
  const timeZone = useTimeZone() ?? 'Asia/Jakarta';
  const date = new Date(at);
  const zone = indonesianZones[timeZone];
  const exact = format.dateTime(date, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: zone ? undefined : 'short',
  });
  return { date, full: zone ? `${exact} ${zone}` : exact };
}

/**
 * A time as a list shows it: "12.37" today, "Kemarin 17.04", "17 Nov", and with its year when
 * that is another one. The full time is its title; screen readers read it instead, and it
 * appears while its row has the keyboard's focus. `timeOnly`: on any day, because a heading says the day.
 */
export function ShortTime({ at, timeOnly = false }: { at: Date | string; timeOnly?: boolean }) {
  const t = useTranslations('app');
  const format = useFormatter();
  const timeZone = useTimeZone() ?? 'Asia/Jakarta';
  const { date, full } = useExactTime(at);
  const now = serviceNow();
  const day = isoDayOf(date, timeZone);
  const today = isoDayOf(now, timeZone);
  const time = format.dateTime(date, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  const short =
    timeOnly || day === today
      ? time
      : day === isoDayOf(new Date(now.getTime() - dayMs), timeZone)
        ? t('yesterday', { time })
        : format.dateTime(date, { day: 'numeric', month: 'short', year: isThisYear ? undefined : 'numeric' });
  return (
    <time className="short-time" dateTime={date.toISOString()} title={full}>
      <span aria-hidden suppressHydrationWarning>
        {short}
      </span>
      <span className="short-time-full unseen">{full}</span>
    </time>
  );
}

/** A short time after what happened then. `inColumn`: a desktop has the words in the head of its column. */
export const TimeOf = ({ what, at, inColumn }: { what: string; at: Date | string; inColumn?: boolean }) => (
  <span>
    <span className={inColumn ? 'mantine-hidden-from-sm' : undefined}>{what} </span>
    <ShortTime at={at} />
  </span>
);
