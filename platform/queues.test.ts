import { expect, test } from 'vitest';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { type BatchOptions, makeBatchQueue, makeClassQueue, makeFairQueue, makeGroupQueue } from '#platform/queues.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const block = (ms: number) => {
  for (const started = performance.now(); performance.now() - started < ms; );
};

test('a group runs a limited number of tasks at once, and other groups do not wait for it', async () => {
  const queue = makeGroupQueue<string>(2);
  let [running, maxRunning] = [0, 0];
  const released = Promise.withResolvers<void>();
  const tasks = Array.from({ length: 5 }, () =>
    queue('a', async () => {
      maxRunning = Math.max(maxRunning, ++running);
      await released.promise;
      running--;
    }),
  );
  expect(await queue('b', async () => 'done')).toBe('done');
  released.resolve();
  await Promise.all(tasks);
  expect(maxRunning).toBe(2);
});

test('a task that waited too long fails as an outage of the database', async () => {
  const queue = makeGroupQueue<string>(1, 100);
  const released = Promise.withResolvers<void>();
  void queue('a', () => released.promise);
  const late = queue('a', async () => 'late').catch((error: unknown) => error);
  await nextTurn();
  block(150);
  released.resolve();
  expect(isDatabaseUnavailable(await late)).toBe(true);
});

/** A queue whose tasks run until `finish` is called; `order` has the names in the order of their start. */
function observe(limits: Partial<Parameters<typeof makeFairQueue>[0]> = {}) {
  const queue = makeFairQueue({ concurrency: 1, maxWaiting: 100, maxWaitMs: 60_000, ...limits });
  const order: string[] = [];
  const running: (() => void)[] = [];
  const add = (group: string, name: string) =>
    queue(group, () => {
      order.push(name);
      return new Promise<string>((resolve) => running.push(() => resolve(name)));
    });
  const finish = async () => {
    running.shift()?.();
    await nextTurn();
  };
  return { add, finish, order };
}

test('groups take turns: one task waits behind one of a long group, not behind all of them', async () => {
  const { add, finish, order } = observe();
  for (let at = 0; at < 10; at++) void add('many', `many ${at}`);
  void add('few', 'few');
  await finish();
  await finish();
  expect(order).toEqual(['many 0', 'many 1', 'few']);
});

test('a full queue refuses the newest task of the longest group, for a shorter group', async () => {
  const { add, finish, order } = observe({ maxWaiting: 3 });
  const many = Array.from({ length: 5 }, (_, at) => add('many', `many ${at}`));
  expect(await many[4]).toBe('busy');
  const few = add('few', 'few');
  expect(await many[3]).toBe('busy');
  for (let at = 0; at < 4; at++) await finish();
  expect(await few).toBe('few');
  expect(order).toEqual(['many 0', 'many 1', 'few', 'many 2']);
  const limited = observe({ maxWaitingPerGroup: 2 });
  const all = Array.from({ length: 4 }, (_, at) => limited.add('one', `one ${at}`));
  expect(await all[3], 'a group may have a limit of its own').toBe('busy');
});

test('a task that waited too long does not run; the queue goes on after a task that throws', async () => {
  const late = observe({ maxWaitMs: -1 });
  void late.add('one', 'first');
  const second = late.add('one', 'second');
  await late.finish();
  expect(await second).toBe('busy');
  const queue = makeFairQueue({ concurrency: 1, maxWaiting: 100, maxWaitMs: 1000 });
  await expect(queue('one', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue('one', async () => 'fine')).toBe('fine');
});

test('a class full of groups takes no place of another class, and classes take turns', async () => {
  const limits = { maxWaiting: 5 };
  const queue = makeClassQueue({ concurrency: 1, maxWaitMs: 60_000 }, { known: limits, strangers: limits });
  const order: string[] = [];
  const running: (() => void)[] = [];
  const add = (name: 'known' | 'strangers', group: string) =>
    queue(name, group, () => {
      order.push(group);
      return new Promise<string>((resolve) => running.push(() => resolve(group)));
    });
  const strangers = Array.from({ length: 7 }, (_, at) => add('strangers', `stranger ${at}`));
  expect(await strangers[6]).toBe('busy');
  const known = add('known', 'person');
  for (let at = 0; at < 3; at++) {
    running.shift()?.();
    await nextTurn();
  }
  expect(await known).toBe('person');
  expect(order.slice(0, 3)).toContain('person');
});

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
  expect(batches.map(({ items }) => items.join())).toEqual(['1,2', '3,4']);
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
  block(80);
  batches[0]?.end();
  expect(await late).toMatchObject({ code: 'QUEUE_TIMEOUT' });
  expect(batches).toHaveLength(1);
});
