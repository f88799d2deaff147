import { expect, test } from 'vitest';
import { connectionLimit } from '#server/front/limit-connections.ts';

test('of the files a process may open, a tenth and at least 80 are kept from connections', () => {
  expect([1, 100, 1024, 2048, 20_000].map(connectionLimit)).toEqual([1, 20, 921, 1843, 18_000]);
});
