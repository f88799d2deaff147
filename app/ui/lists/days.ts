import { isoDayOf } from '#app/ui/text/times.ts';

/** The choices of a period of days that ends today: one day, a week, a month. */
export const dayPresets = ['1', '7', '30'] as const;

/** The days of a filter: a number of days until today, or the first and the last day (ISO 8601). */
export type DaysQuery = { days?: (typeof dayPresets)[number]; from?: string; to?: string };

export type DayRange = { from?: string; to?: string };

/** Turns the days of an address into a first and a last day in the company's time zone. */
export function asDayRange({ days, from, to }: DaysQuery, timeZone: string): DayRange {
  if (days === undefined) return { from, to };
  const today = isoDayOf(new Date(), timeZone);
  const first = new Date(`${today}T00:00:00Z`);
  first.setUTCDate(first.getUTCDate() - Number(days) + 1);
  return { from: first.toISOString().slice(0, 10), to: today };
}

/** Reads a day as Indonesians write it, `21/11/2026` or `1-2-2026`, or as ISO 8601; else null. */
export function asIsoDay(text: string): string | null {
  const written = /^(\d{1,2})[/.-](\d{1,2})[/.-](20\d\d)$/.exec(text.trim());
  const iso = written
    ? [written[3], written[2]?.padStart(2, '0'), written[1]?.padStart(2, '0')].join('-')
    : text.trim();
  if (!/^20\d\d-\d\d-\d\d$/.test(iso)) return null;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}

/** Writes a day as Indonesians do: `21/11/2026`. */
export const asWrittenDay = (iso: string): string => iso.split('-').reverse().join('/');
