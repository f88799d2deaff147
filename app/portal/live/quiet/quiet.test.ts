import { expect, test } from 'vitest';
import { asClock, asMinute, minuteOfDay, quietAt } from '#app/portal/live/quiet/quiet.ts';
import { db } from '#db/client.ts';
import { sql } from '#db/drizzle.cjs';
import { type Preferences, quietCondition } from '#server/inbox/preferences.ts';

const defaults = { quietFrom: null, quietUntil: null, quietTimeZone: null, silentUntil: null } as Preferences;
const noonInJakarta = new Date('2026-11-21T05:00:00Z');

test('by default there is no quiet; an hour of silence ends at a minute of the employee’s own time zone', () => {
  expect(quietAt(defaults, 'Asia/Jakarta', noonInJakarta)).toBeNull();
  const silentUntil = new Date('2026-11-21T05:30:00Z');
  expect(quietAt({ ...defaults, silentUntil }, 'Asia/Jakarta', noonInJakarta)).toEqual({ untilMinute: 12 * 60 + 30 });
  expect(quietAt({ ...defaults, silentUntil }, 'Asia/Jakarta', silentUntil)).toBeNull();
});

const cases = [
  { from: '11:00', until: '13:00', zone: null, quiet: true },
  { from: '12:00', until: '12:01', zone: null, quiet: true },
  { from: '11:00', until: '12:00', zone: null, quiet: false },
  { from: '22:00', until: '06:00', zone: null, quiet: false },
  { from: '13:00', until: '12:01', zone: null, quiet: true },
  { from: '11:30', until: '12:30', zone: 'Asia/Jayapura', quiet: false },
  { from: '13:30', until: '14:30', zone: 'Asia/Jayapura', quiet: true },
  { from: '12:00', until: '12:00', zone: null, quiet: false },
];

// On pages and for devices.
test.for(cases)('quiet hours $from–$until in $zone at noon in Jakarta: $quiet', async (hours) => {
  const [quietFrom, quietUntil] = [asMinute(hours.from), asMinute(hours.until)];
  const wishes = { ...defaults, quietFrom, quietUntil, quietTimeZone: hours.zone };
  expect(quietAt(wishes, 'Asia/Jakarta', noonInJakarta) !== null).toBe(hours.quiet);
  const at = sql`${noonInJakarta.toISOString()}::timestamptz`;
  const [row] = await db().execute(sql`
    select ${quietCondition(at)} as quiet
    from (values (null::timestamptz, ${quietFrom}::int, ${quietUntil}::int, ${hours.zone}::text))
      as p (silent_until, quiet_from, quiet_until, quiet_time_zone), (values ('Asia/Jakarta')) as c (time_zone)`);
  expect(row?.quiet).toBe(hours.quiet);
});

test('a minute of the day is written as Indonesians write it', () => {
  expect(asClock(6 * 60 + 5)).toBe('06.05');
  expect(minuteOfDay(new Date('2026-11-20T17:00:00Z'), 'Asia/Jakarta')).toBe(0);
});
