import { expect, test } from 'vitest';
import { type BatchOptions, makeBatchQueue } from '#platform/queues/batch-queue.ts';

// A queue of numbers whose batches end when the test says so.
function makeHeldQueue(options: Partial<BatchOptions<number, string>> = {}) {
  const batches: { items: number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const alone: number[] = [];
  const queue = makeBatchQueue<number, string>({
    run: (items) =>
      new Promise((resolve, reject) =>
        batches.push({ items, end: () => resolve(items.map((item) => `done ${item}`)), fail: reject }),
      ),
    isUndone: (error) => error instanceof Error && error.message === 'undone',
    runAlone: async (item) => {
      alone.push(item);
      return `alone ${item}`;
    },
    maxRunning: 1,
    ...options,
  });
  return { queue, batches, alone };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('items that arrive during a batch go into the next one together, each with its own result', async () => {
  const { queue, batches } = makeHeldQueue();
  const first = queue(1);
  await nextTurn();
  const others = Promise.all([queue(2), queue(3), queue(4)]);
  await nextTurn();
  expect(batches.map(({ items }) => items)).toEqual([[1]]);
  batches[0]?.end();
  expect(await first).toBe('done 1');
  await expect.poll(() => batches.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
  batches[1]?.end();
  expect(await others).toEqual(['done 2', 'done 3', 'done 4']);
});

test('a batch has at most maxSize items, and at most maxRunning batches run', async () => {
  const { queue, batches } = makeHeldQueue({ maxSize: 2, maxRunning: 2 });
  for (let item = 1; item <= 7; item++) void queue(item);
  await nextTurn();
  expect(batches.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  for (let ended = 0; ended < 4; ended++) {
    batches[ended]?.end();
    await nextTurn();
  }
  expect(batches.map(({ items }) => items)).toEqual([[1, 2], [3, 4], [5, 6], [7]]);
});

test('items of one group never run in two batches', async () => {
  const { queue, batches } = makeHeldQueue({ maxRunning: 2, groupOf: (item) => (item >= 20 ? 20 : undefined) });
  for (const item of [10, 20, 21]) void queue(item);
  await nextTurn();
  expect(batches.map(({ items }) => items)).toEqual([[10, 20, 21]]);
  void queue(22);
  void queue(11);
  await nextTurn();
  expect(batches.map(({ items }) => items)).toEqual([[10, 20, 21], [11]]);
  batches[0]?.end();
  await expect.poll(() => batches.map(({ items }) => items)).toContainEqual([22]);
});

test('after a failure that did nothing each item runs alone; after another one all fail', async () => {
  const { queue, batches, alone } = makeHeldQueue();
  const retried = Promise.all([queue(1), queue(2)]);
  await nextTurn();
  batches[0]?.fail(new Error('undone'));
  expect(await retried).toEqual(['alone 1', 'alone 2']);
  const failed = Promise.allSettled([queue(3), queue(4)]);
  await nextTurn();
  batches[1]?.fail(new Error('lost'));
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(alone).toEqual([1, 2]);
});

test('an item that waited too long does not run and fails as an outage', async () => {
  const { queue, batches } = makeHeldQueue({ maxWaitMs: 50 });
  void queue(1);
  await nextTurn();
  const late = queue(2).catch((error: unknown) => error);
  for (const started = performance.now(); performance.now() - started < 80; );
  batches[0]?.end();
  expect(await late).toMatchObject({ code: 'QUEUE_TIMEOUT' });
  expect(batches).toHaveLength(1);
});
