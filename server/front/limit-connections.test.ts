import { expect, test } from 'vitest';
import { connectionLimit } from '#server/front/limit-connections.ts';

test('a tenth of the files of a process, at least 80, is reserved', () => {
  expect([1, 100, 1024, 2048, 20_000].map(connectionLimit)).toEqual([1, 20, 921, 1843, 18_000]);
});
