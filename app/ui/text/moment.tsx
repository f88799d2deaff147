import { useFormatter, useTimeZone } from 'next-intl';

const indonesianZones: Record<string, string> = {
  'Asia/Jakarta': 'WIB',
  'Asia/Pontianak': 'WIB',
  'Asia/Makassar': 'WITA',
  'Asia/Jayapura': 'WIT',
};

/** A moment in the company's time zone, as Indonesians write it: "21 Nov 2026, 05.46 WIB". */
export function Moment({ at }: { at: Date | string }) {
  const { date, full } = useExactTime(at);
  return <time dateTime={date.toISOString()}>{full}</time>;
}

/** Formats a moment as `Moment` does, as text. */
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
