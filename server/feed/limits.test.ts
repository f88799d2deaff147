import { expect, test } from 'vitest';
import { lookupQueue, streamLimit } from '#server/feed/limits.ts';

test('a quarter of the files, at least 100, is kept free of streams; 50,000 streams at most', () => {
  const limits = [64, 200, 1024, 20_000, 1_048_576, Number.POSITIVE_INFINITY];
  expect(limits.map(streamLimit)).toEqual([0, 100, 768, 15_000, 50_000, 50_000]);
});

test('lookups start in different turns of the event loop, and 32 run at a time (X16)', async () => {
  let turn = 0;
  let isFinished = false;
  const countTurns = () => {
    turn += 1;
    if (!isFinished) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const begun: number[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const asked = Array.from({ length: 40 }, () =>
    lookupQueue(async () => {
      begun.push(turn);
      await released;
    }),
  );
  await expect.poll(() => begun.length).toBe(32);
  for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
  expect(begun).toHaveLength(32);
  release();
  await Promise.all(asked);
  isFinished = true;
  expect(begun).toHaveLength(40);
  for (const [place, at] of begun.entries()) if (place > 0) expect(at - (begun[place - 1] ?? 0)).toBeGreaterThan(1);
});
