import { expect, test } from 'vitest';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { makeGroupQueue } from '#platform/queues/queue.ts';

test('a group runs a limited number of tasks at once, and other groups do not wait for it', async () => {
  const queue = makeGroupQueue<string>(2);
  let running = 0;
  let maxRunning = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const tasks = Array.from({ length: 5 }, () =>
    queue('a', async () => {
      maxRunning = Math.max(maxRunning, ++running);
      await released;
      running--;
    }),
  );
  expect(await queue('b', async () => 'done')).toBe('done');
  release();
  await Promise.all(tasks);
  expect(maxRunning).toBe(2);
});

test('a task that waited too long fails as an outage of the database', async () => {
  const queue = makeGroupQueue<string>(1, 100);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const first = queue('a', () => released);
  const late = queue('a', async () => 'late').catch((error: unknown) => error);
  await new Promise((resolve) => setImmediate(resolve));
  for (const started = performance.now(); performance.now() - started < 150; );
  release();
  await first;
  expect(isDatabaseUnavailable(await late)).toBe(true);
});
