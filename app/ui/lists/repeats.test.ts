import { expect, test } from 'vitest';
import { groupRepeats } from '#app/ui/lists/repeats.ts';

test('only neighbours that say the same are one group, in the order of the list', () => {
  const groups = groupRepeats(['Stok', 'Stok', 'Gaji', 'Stok', 'Stok', 'Stok'], (title) => title);
  expect(groups.map(({ key, items }) => [key, items.length])).toEqual([
    ['Stok', 2],
    ['Gaji', 1],
    ['Stok', 3],
  ]);
  expect(groupRepeats([], String)).toEqual([]);
});
