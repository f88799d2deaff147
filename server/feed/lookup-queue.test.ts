import { expect, test } from 'vitest';
import { lookupQueue } from '#server/feed/lookup-queue.ts';

test('lookups start in different turns of the event loop, and 32 run at a time (X16)', async () => {
  let turn = 0;
  let isFinished = false;
  const countTurns = () => {
    turn += 1;
    if (!isFinished) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const begun: number[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
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
