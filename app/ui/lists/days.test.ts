import { expect, test } from 'vitest';
import { asDayRange, asIsoDay, asWrittenDay } from '#app/ui/lists/days.ts';
import { isoDayOf } from '#app/ui/text/times.ts';

test('a day is read in Indonesian order, whatever the language of the browser', () => {
  expect(asIsoDay('21/11/2026')).toBe('2026-11-21');
  expect(asIsoDay(' 1-2-2026 ')).toBe('2026-02-01');
  expect(asIsoDay('2026-11-21')).toBe('2026-11-21');
  expect(asWrittenDay('2026-02-01')).toBe('01/02/2026');
  for (const wrong of ['', '31/02/2026', '11/21/2026', '1/2/26', '21/11', '1/1/1999', 'kemarin'])
    expect(asIsoDay(wrong), wrong).toBeNull();
});

test('a number of days ends today, in the time zone of the company', () => {
  const today = isoDayOf(new Date(), 'Asia/Jayapura');
  expect(asDayRange({ days: '1', from: '2020-01-01' }, 'Asia/Jayapura')).toEqual({ from: today, to: today });
  const { from, to } = asDayRange({ days: '30' }, 'Asia/Jayapura');
  expect([(Date.parse(`${to}`) - Date.parse(`${from}`)) / 86_400_000, to]).toEqual([29, today]);
  expect(asDayRange({ from: '2026-02-01' }, 'UTC')).toEqual({ from: '2026-02-01', to: undefined });
});

test('midnight in Jakarta is 17:00 UTC of the day before', () => {
  expect(isoDayOf(new Date('2026-11-20T16:59:59Z'), 'Asia/Jakarta')).toBe('2026-11-20');
  expect(isoDayOf(new Date('2026-11-20T17:00:00Z'), 'Asia/Jakarta')).toBe('2026-11-21');
});
