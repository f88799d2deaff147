import { expect, test } from 'vitest';
import { streamLimit } from '#server/feed/stream-limit.ts';

test('a quarter of the files, at least 100, is kept free of streams; 50,000 streams at most', () => {
  const limits = [64, 200, 1024, 20_000, 1_048_576, Number.POSITIVE_INFINITY];
  expect(limits.map(streamLimit)).toEqual([0, 100, 768, 15_000, 50_000, 50_000]);
});
