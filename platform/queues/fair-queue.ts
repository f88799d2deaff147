type FairLimits = {
  concurrency: number;
  /** How many tasks wait, over all groups. */
  maxWaiting: number;
  /** How long a task may wait, in milliseconds. */
  maxWaitMs: number;
  /** How many tasks of one group wait (default: `maxWaiting`). */
  maxWaitingPerGroup?: number;
};

type FairQueue = <Value>(group: string, task: () => Promise<Value>, member?: string) => Promise<Value | 'busy'>;

// A `FairQueue` that alternates between classes, and in a class between groups.
type ClassQueue<Class extends string> = <Value>(
  name: Class,
  group: string,
  task: () => Promise<Value>,
  member?: string,
) => Promise<Value | 'busy'>;

/** Makes a fair queue for each class and alternates between the classes, so that a full one delays no other. */
export function makeClassQueue<Class extends string>(
  limits: Pick<FairLimits, 'concurrency' | 'maxWaitMs'>,
  classes: Record<Class, Pick<FairLimits, 'maxWaiting' | 'maxWaitingPerGroup'>>,
): ClassQueue<Class> {
  const names = Object.keys(classes) as Class[];
  const queues = new Map(names.map((name) => [name, makeFairQueue({ ...limits, ...classes[name] })]));
  // Each class adds at most `concurrency` tasks here, so none is rejected.
  const places = makeFairQueue({ ...limits, maxWaitMs: Infinity, maxWaiting: names.length * limits.concurrency });
  return async (name, group, task, member) => queues.get(name)?.(group, () => places(name, task), member) ?? 'busy';
}

type Waiting = { member: string; start: () => void; refuse: () => void; queuedAt: number };

/**
 * Makes a queue that alternates between groups, and in a group between its members: a group with a thousand tasks
 * delays one with a single task by one. When it is full, a task of a smaller group displaces the newest of the largest.
 */
export function makeFairQueue(limits: FairLimits): FairQueue {
  const { concurrency, maxWaiting, maxWaitMs, maxWaitingPerGroup = maxWaiting } = limits;
  // A Map keeps its order: the group at the front is the next one.
  const groups = new Map<string, Waiting[]>();
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

  function takeNext(): Waiting | undefined {
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
    let longest: [string, Waiting[]] | undefined;
    for (const entry of groups) if (entry[1].length > (longest?.[1].length ?? own + 1)) longest = entry;
    if (!longest) return false;
    longest[1].pop()?.refuse();
    waiting--;
    return true;
  }

  // Behind the tasks of others that have as many before them.
  function insert(tasks: Waiting[], task: Waiting): void {
    const counts = new Map<string, number>();
    const own = tasks.filter(({ member }) => member === task.member).length;
    const index = tasks.findIndex(({ member }) => {
      counts.set(member, (counts.get(member) ?? 0) + 1);
      return (counts.get(member) ?? 0) > own + 1;
    });
    tasks.splice(index === -1 ? tasks.length : index, 0, task);
  }

  return async (group, task, member = '') => {
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
