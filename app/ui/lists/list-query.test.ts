import { expect, test } from 'vitest';
import { z } from 'zod';
import { addressOf, hasFilter } from '#app/ui/lists/address.ts';
import { asDayRange, asIsoDay, asWrittenDay } from '#app/ui/lists/days.ts';
import { DayText, IdText, NumberText, readQuery, SearchText } from '#app/ui/lists/list-query.ts';
import { groupRepeats } from '#app/ui/lists/repeats.ts';
import { isoDayOf } from '#app/ui/text/times.ts';

const shape = { kind: z.enum(['info', 'bonus']), day: DayText, search: SearchText, before: IdText };

test('an address made of a query is read back as the same query', () => {
  const query = { kind: 'bonus', day: '2026-02-28', search: 'naik & turun', before: 7 } as const;
  const address = addressOf('/owner/sends', query);
  expect(address).toBe('/owner/sends?kind=bonus&day=2026-02-28&search=naik+%26+turun&before=7');
  expect(readQuery(shape, new URL(address, 'http://x').searchParams)).toEqual(query);
  expect(addressOf('/owner/sends', { kind: undefined, day: null, search: '' })).toBe('/owner/sends');
});

test.each([
  ['missing, empty or blank', { kind: undefined, day: '', search: '  ' }],
  ['repeated', { kind: ['info', 'bonus'], search: ['a'] }],
  ['no such choice, day or id', { kind: 'kas', day: '2026-02-30', before: '0' }],
  ['days of another century', { day: '1999-12-31' }],
  ['ids that are not plain digits', { before: '1e3' }],
  ['ids of ten digits', { before: '1234567890' }],
  ['text that PostgreSQL cannot store', { search: 'a\0b' }],
  ['half a surrogate pair', { search: 'a\ud800' }],
  ['of another list', { page: '2' }],
])('parameters are left out: %s', (_, given) => {
  expect(readQuery(shape, given)).toEqual({});
});

test('search words are trimmed and cut to 120 characters, numbers may have 15 digits', () => {
  expect(readQuery(shape, { search: ` ${'😀'.repeat(121)} ` })).toEqual({ search: '😀'.repeat(120) });
  expect(NumberText.parse('999999999999999')).toBe(999_999_999_999_999);
  expect(NumberText.safeParse('1000000000000000').success).toBe(false);
});

test('the page of a list is no filter', () => {
  expect(hasFilter({ before: 7, after: 8 })).toBe(false);
  expect(hasFilter({ before: 7, kind: 'info' })).toBe(true);
});

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

test('only neighbours that say the same are one group, in the order of the list', () => {
  const groups = groupRepeats(['Stok', 'Stok', 'Gaji', 'Stok', 'Stok', 'Stok'], (title) => title);
  expect(groups).toEqual([['Stok', 'Stok'], ['Gaji'], ['Stok', 'Stok', 'Stok']]);
  expect(groupRepeats([], String)).toEqual([]);
});
