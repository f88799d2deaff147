import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';

/** A task waited too long in a queue. `isDatabaseUnavailable` is true for it. */
export class QueueTimeout extends Error {
  readonly code = 'QUEUE_TIMEOUT';
}

/**
 * Makes a queue in which at most `concurrency` tasks of one group run at a time: a company whose row is locked cannot
 * use up all connections. A task that waited longer than `maxWaitMs` rejects with `QueueTimeout`.
 */
export function makeGroupQueue<Group>(concurrency: number, maxWaitMs = 2000) {
  const groups = new Map<Group, LimitFunction>();
  return async <Value>(group: Group, task: () => Promise<Value>): Promise<Value> => {
    const limit = groups.get(group) ?? pLimit(concurrency);
    groups.set(group, limit);
    const queuedAt = performance.now();
    try {
      return await limit(() => {
        if (performance.now() - queuedAt > maxWaitMs) throw new QueueTimeout('the task waited too long in its queue');
        return task();
      });
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) groups.delete(group);
    }
  };
}

/** The result of `ask`, or null when it fails or takes longer than `timeoutMs`. */
export const withTimeout = <Value>(timeoutMs: number, ask: () => Promise<Value>): Promise<Value | null> =>
  Promise.race([ask().catch(() => null), sleep(timeoutMs, null, { ref: false })]);

// `maxWaiting` tasks wait over all groups, `maxWaitingPerGroup` (default: as many) of one.
type FairLimits = { concurrency: number; maxWaiting: number; maxWaitMs: number; maxWaitingPerGroup?: number };

/** Makes a fair queue for each class and alternates between the classes, so that a full one delays no other. */
export function makeClassQueue<Class extends string>(
  limits: Pick<FairLimits, 'concurrency' | 'maxWaitMs'>,
  classes: Record<Class, Pick<FairLimits, 'maxWaiting' | 'maxWaitingPerGroup'>>,
) {
  const names = Object.keys(classes) as Class[];
  const queues = new Map(names.map((name) => [name, makeFairQueue({ ...limits, ...classes[name] })]));
  // Each class adds at most `concurrency` tasks here, so none is rejected.
  const places = makeFairQueue({ ...limits, maxWaitMs: Infinity, maxWaiting: names.length * limits.concurrency });
  return async <Value>(name: Class, group: string, task: () => Promise<Value>, member?: string) =>
    queues.get(name)?.(group, () => places(name, task), member) ?? 'busy';
}

type Queued = { member: string; start: () => void; refuse: () => void; queuedAt: number };

/**
 * Makes a queue that alternates between groups, and in a group between its members: a group with a thousand tasks
 * delays one with a single task by one. When it is full, a task of a smaller group displaces the newest of the largest.
 */
export function makeFairQueue(limits: FairLimits) {
  const { concurrency, maxWaiting, maxWaitMs, maxWaitingPerGroup = maxWaiting } = limits;
  // A Map keeps its order: the group at the front is the next one.
  const groups = new Map<string, Queued[]>();
  let running = 0;
  let waiting = 0;

  function startNext(): void {
    while (running < concurrency) {
      const next = takeNext();
      if (!next) return;
      if (performance.now() - next.queuedAt > maxWaitMs) next.refuse();
      else next.start();
    }
  }

  function takeNext(): Queued | undefined {
    const [front] = groups;
    if (!front) return undefined;
    const [group, tasks] = front;
    groups.delete(group);
    const next = tasks.shift();
    if (tasks.length > 0) groups.set(group, tasks);
    waiting--;
    return next;
  }

  function makePlace(group: string): boolean {
    const own = groups.get(group)?.length ?? 0;
    if (own >= maxWaitingPerGroup) return false;
    if (waiting < maxWaiting) return true;
    let longest: [string, Queued[]] | undefined;
    for (const entry of groups) if (entry[1].length > (longest?.[1].length ?? own + 1)) longest = entry;
    if (!longest) return false;
    longest[1].pop()?.refuse();
    waiting--;
    return true;
  }

  // Behind the tasks of others that have as many before them.
  function insert(tasks: Queued[], task: Queued): void {
    const counts = new Map<string, number>();
    const own = tasks.filter(({ member }) => member === task.member).length;
    const index = tasks.findIndex(({ member }) => {
      counts.set(member, (counts.get(member) ?? 0) + 1);
      return (counts.get(member) ?? 0) > own + 1;
    });
    tasks.splice(index === -1 ? tasks.length : index, 0, task);
  }

  return async <Value>(group: string, task: () => Promise<Value>, member = ''): Promise<Value | 'busy'> => {
    if (running >= concurrency || waiting > 0) {
      if (!makePlace(group)) return 'busy';
      const isTurn = await new Promise<boolean>((resolve) => {
        const start = () => {
          running++;
          resolve(true);
        };
        const tasks = groups.get(group) ?? [];
        groups.set(group, tasks);
        insert(tasks, { member, start, refuse: () => resolve(false), queuedAt: performance.now() });
        waiting++;
      });
      if (!isTurn) return 'busy';
    } else running++;
    try {
      return await task();
    } finally {
      running--;
      startNext();
    }
  };
}

/**
 * At most `maxRunning` batches run at a time, never two with items of one group. `run` handles 1 to `maxSize` items and
 * returns their results in the same order. `isUndone`: its error means that none of them was handled.
 */
export type BatchOptions<Item, Result> = {
  run: (items: Item[]) => Promise<Result[]>;
  isUndone: (error: unknown) => boolean;
  runAlone: (item: Item) => Promise<Result>;
  groupOf?: (item: Item) => number | undefined;
  maxRunning?: number;
  maxSize?: number;
  maxWaitMs?: number;
};

/**
 * Makes a queue that handles items in batches: those that arrive while batches run form the next one; otherwise an item
 * waits for its turn of the event loop only. When a batch fails without effect, each item runs again alone, so that one
 * cannot fail the others. Rejects with `QueueTimeout` after `maxWaitMs`, else with the error of the last run.
 */
export function makeBatchQueue<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { run, isUndone, runAlone, groupOf = () => undefined } = options;
  const { maxRunning = 2, maxSize = 100, maxWaitMs = 2000 } = options;
  type One = PromiseWithResolvers<Result> & { item: Item; queuedAt: number };
  let waiting: One[] = [];
  let isScheduled = false;
  let running = 0;
  const runningGroups = new Set<number>();

  const isLate = ({ queuedAt }: One) => performance.now() - queuedAt > maxWaitMs;

  function takeBatch(): One[] {
    const [batch, rest]: [One[], One[]] = [[], []];
    for (const entry of waiting) {
      const group = groupOf(entry.item);
      const mustWait = group !== undefined && runningGroups.has(group);
      if (isLate(entry)) entry.reject(new QueueTimeout('the task waited too long in its queue'));
      else if (mustWait || batch.length === maxSize) rest.push(entry);
      else batch.push(entry);
    }
    waiting = rest;
    return batch;
  }

  function startBatches(): void {
    isScheduled = false;
    while (running < maxRunning && waiting.length > 0) {
      const batch = takeBatch();
      if (batch.length === 0) return;
      const groups = batch.map(({ item }) => groupOf(item)).filter((group) => group !== undefined);
      for (const group of groups) runningGroups.add(group);
      running++;
      void runBatch(batch).finally(() => {
        running--;
        for (const group of groups) runningGroups.delete(group);
        startBatches();
      });
    }
  }

  async function runBatch(batch: One[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, entry] of batch.entries()) entry.resolve(results[index] as Result);
    } catch (error) {
      for (const { item, resolve, reject } of batch)
        if (isUndone(error)) runAlone(item).then(resolve, reject);
        else reject(error);
    }
  }

  return (item) => {
    const one = { item, queuedAt: performance.now(), ...Promise.withResolvers<Result>() };
    waiting.push(one);
    if (!isScheduled) setImmediate(startBatches);
    isScheduled = true;
    return one.promise;
  };
}
