import type { Preferences } from '#server/inbox/preferences.ts';

/** The minute of the day at which quiet ends, or null while the employee wants no quiet. */
export type Quiet = { untilMinute: number } | null;

/** Reads a minute of the day from `06:30`, or NaN. */
export function asMinute(clock: string): number {
  const [hour = Number.NaN, minute = Number.NaN] = clock.split(':').map(Number);
  return hour * 60 + minute;
}

/** Returns the minute of the day (0–1439) at a timestamp in a time zone. */
export const minuteOfDay = (time: Date, timeZone: string): number =>
  asMinute(time.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }));

/** The quiet at a time, by a silence or by quiet hours. `quietCondition` in server/inbox is the same in SQL. */
export function quietAt(preferences: Preferences, companyZone: string, now: Date): Quiet {
  const { silentUntil, quietFrom, quietUntil, quietTimeZone } = preferences;
  const zone = quietTimeZone ?? companyZone;
  if (silentUntil && silentUntil > now) return { untilMinute: minuteOfDay(silentUntil, zone) };
  if (quietFrom === null || quietUntil === null) return null;
  const minute = minuteOfDay(now, zone);
  const isQuiet =
    quietFrom <= quietUntil ? minute >= quietFrom && minute < quietUntil : minute >= quietFrom || minute < quietUntil;
  return isQuiet ? { untilMinute: quietUntil } : null;
}

/** Writes a minute of the day as Indonesians do: 06.30. */
export function asClock(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}.${two(minute % 60)}`;
}
