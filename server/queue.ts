import pLimit, { type LimitFunction } from 'p-limit';

/** A turn did not come in time; counts as the database being out of reach for this request. */
export class QueueTimeout extends Error {
  readonly code = 'QUEUE_TIMEOUT';
}

/**
 * Lets at most `atOnce` tasks of the same group run at a time, the others wait up to `longestWaitMs` for their turn and then
 * fail with `QueueTimeout`. One company whose row is held cannot use up the connections of all the others.
 */
export function makeTurns<Group>(
  atOnce: number,
  longestWaitMs = 2000,
): <Value>(group: Group, task: () => Promise<Value>) => Promise<Value> {
  const groups = new Map<Group, LimitFunction>();
  return async (group, task) => {
    const limit = groups.get(group) ?? pLimit(atOnce);
    groups.set(group, limit);
    const asked = performance.now();
    try {
      return await limit(() => {
        if (performance.now() - asked > longestWaitMs) throw new QueueTimeout('the turn came too late');
        return task();
      });
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) groups.delete(group);
    }
  };
}
