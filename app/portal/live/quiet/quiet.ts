import type { Preferences } from '#server/inbox/preferences.ts';

/**
 * A person's wish for quiet at one moment, and the minute of their day at which it ends; null when
 * they want to be told.
 */
export type Quiet = { untilMinute: number } | null;

/** The minute of the day (0–1439) at a moment in a time zone. */
export function minuteOfDay(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  const [hour = 0, minute = 0] = parts.format(at).split(':').map(Number);
  return hour * 60 + minute;
}

/**
 * Whether a person wants quiet at a moment: silent for an hour, or within their quiet hours, which
 * may pass midnight. The same rule holds in SQL for devices (`server/push/push.ts`).
 */
export function quietAt(preferences: Preferences, companyZone: string, now: Date): Quiet {
  const { silentUntil, quietFrom, quietUntil, quietTimeZone } = preferences;
  const zone = quietTimeZone ?? companyZone;
  if (silentUntil && silentUntil > now) return { untilMinute: minuteOfDay(silentUntil, zone) };
  if (quietFrom === null || quietUntil === null) return null;
  const minute = minuteOfDay(now, zone);
  const within =
    quietFrom <= quietUntil ? minute >= quietFrom && minute < quietUntil : minute >= quietFrom || minute < quietUntil;
  return within ? { untilMinute: quietUntil } : null;
}

/** A minute of the day as people write it in Indonesia: 06.30. */
export function asClock(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}.${two(minute % 60)}`;
}
