import { expect, test } from 'vitest';
import { makeClassQueue, makeFairQueue } from '#platform/queues/fair-queue.ts';

/** A queue whose tasks run until `finish` is called; `order` has the names in the order of their start. */
function observe(limits: Parameters<typeof makeFairQueue>[0]) {
  const queue = makeFairQueue(limits);
  const order: string[] = [];
  const running: (() => void)[] = [];
  const add = (group: string, name: string) =>
    queue(group, () => {
      order.push(name);
      return new Promise<string>((resolve) => running.push(() => resolve(name)));
    });
  const finish = async () => {
    running.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, finish, order };
}

test('groups take turns: one task waits behind one of a long group, not behind all of them', async () => {
  const { add, finish, order } = observe({ concurrency: 1, maxWaiting: 100, maxWaitMs: 60_000 });
  for (let at = 0; at < 10; at++) void add('many', `many ${at}`);
  void add('few', 'few');
  await finish();
  await finish();
  expect(order).toEqual(['many 0', 'many 1', 'few']);
});

test('a full queue refuses the newest task of the longest group, for a shorter group', async () => {
  const { add, finish, order } = observe({ concurrency: 1, maxWaiting: 3, maxWaitMs: 60_000 });
  const many = Array.from({ length: 5 }, (_, at) => add('many', `many ${at}`));
  expect(await many[4]).toBe('busy');
  const few = add('few', 'few');
  expect(await many[3]).toBe('busy');
  for (let at = 0; at < 4; at++) await finish();
  expect(await few).toBe('few');
  expect(order).toEqual(['many 0', 'many 1', 'few', 'many 2']);
});

test('a group has at most its own number of waiting tasks', async () => {
  const { add } = observe({ concurrency: 1, maxWaiting: 100, maxWaitMs: 60_000, maxWaitingPerGroup: 2 });
  const all = Array.from({ length: 4 }, (_, at) => add('one', `one ${at}`));
  expect(await all[3]).toBe('busy');
});

test('a task that waited too long does not run; the queue goes on after a task that throws', async () => {
  const late = observe({ concurrency: 1, maxWaiting: 100, maxWaitMs: -1 });
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
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await known).toBe('person');
  expect(order.slice(0, 3)).toContain('person');
});
