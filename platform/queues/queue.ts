import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';

/** A task waited too long in a queue. `isDatabaseUnavailable` is true for it. */
export class QueueTimeout extends Error {
  readonly code = 'QUEUE_TIMEOUT';
}

type GroupQueue<Group> = <Value>(group: Group, task: () => Promise<Value>) => Promise<Value>;

/**
 * Makes a queue in which at most `concurrency` tasks of one group run at a time. A task that waited longer than
 * `maxWaitMs` rejects with `QueueTimeout`. Groups do not wait for each other: a company whose row is locked cannot use
 * up all connections.
 */
export function makeGroupQueue<Group>(concurrency: number, maxWaitMs = 2000): GroupQueue<Group> {
  const groups = new Map<Group, LimitFunction>();
  return async (group, task) => {
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
