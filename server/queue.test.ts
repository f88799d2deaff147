import { expect, test } from 'vitest';
import { isDatabaseGone } from '#db/client.ts';
import { makeTurns } from '#server/queue.ts';

test('a group gets so many turns at once, and other groups do not wait for it', async () => {
  const inTurn = makeTurns<string>(2);
  let running = 0;
  let most = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const tasks = Array.from({ length: 5 }, () =>
    inTurn('a', async () => {
      most = Math.max(most, ++running);
      await held;
      running--;
    }),
  );
  expect(await inTurn('b', async () => 'done')).toBe('done');
  release();
  await Promise.all(tasks);
  expect(most).toBe(2);
});

test('a turn that comes too late is an outage of the database for that request', async () => {
  const inTurn = makeTurns<string>(1, 100);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const first = inTurn('a', () => held);
  const late = inTurn('a', async () => 'late').catch((error: unknown) => error);
  await new Promise((resolve) => setImmediate(resolve));
  for (const started = performance.now(); performance.now() - started < 150; );
  release();
  await first;
  expect(isDatabaseGone(await late)).toBe(true);
});
