import { expect, test } from 'vitest';
import { z } from 'zod';
import { addressOf, hasFilter } from '#app/ui/lists/address.ts';
import { DayText, IdText, NumberText, readQuery, SearchText } from '#app/ui/lists/list-query.ts';

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
