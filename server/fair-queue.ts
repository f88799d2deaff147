/** The limits of a fair queue. */
export type FairLimits = {
  /** How many tasks run at the same time. */
  concurrency: number;
  /** How many tasks wait, over all groups. */
  maxWaiting: number;
  /** How long a task may wait, in milliseconds. */
  maxWaitMs: number;
  /** How many tasks of one group wait; as many as of all groups by default. */
  maxWaitingPerGroup?: number;
};

/** Runs a task in its group's turn. Returns `'busy'` without running it when a limit is reached. */
export type FairQueue = <Value>(group: string, task: () => Promise<Value>) => Promise<Value | 'busy'>;

/**
 * Runs a task in the turn of its lane and, in the lane, of its group. Returns `'busy'` without
 * running it when a limit is reached.
 */
export type Lanes<Lane extends string> = <Value>(
  lane: Lane,
  group: string,
  task: () => Promise<Value>,
) => Promise<Value | 'busy'>;

/** The limits of lanes: those of all together, and how many tasks wait in each. */
export type LaneLimits<Lane extends string> = Pick<FairLimits, 'concurrency' | 'maxWaitMs'> & {
  lanes: Record<Lane, Pick<FairLimits, 'maxWaiting' | 'maxWaitingPerGroup'>>;
};

/**
 * Makes lanes that take turns, each a fair queue of its own: a full lane neither delays another one
 * nor takes its places.
 */
export function makeLanes<Lane extends string>(limits: LaneLimits<Lane>): Lanes<Lane> {
  const { concurrency, maxWaitMs } = limits;
  const names = Object.keys(limits.lanes) as Lane[];
  const makeQueue = (name: Lane) => makeFairQueue({ concurrency, maxWaitMs, ...limits.lanes[name] });
  const queues = Object.fromEntries(names.map((name) => [name, makeQueue(name)])) as Record<Lane, FairQueue>;
  // Each lane brings at most `concurrency` tasks here, so none is refused.
  const places = makeFairQueue({ concurrency, maxWaitMs: Infinity, maxWaiting: names.length * concurrency });
  return (lane, group, task) => queues[lane](group, () => places(lane, task));
}

type Waiting = { start: () => void; refuse: () => void; queuedAt: number };

/**
 * Makes a queue in which groups take turns, so that a group with a thousand waiting tasks delays
 * a group with one by a single task. When the queue is full, a group with fewer waiting tasks takes
 * the newest place of the group with the most.
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

  return async (group, task) => {
    if (running >= concurrency || waiting > 0) {
      if (!makePlace(group)) return 'busy';
      const isTurn = await new Promise<boolean>((resolve) => {
        const start = () => {
          running++;
          resolve(true);
        };
        const tasks = groups.get(group) ?? [];
        groups.set(group, tasks);
        tasks.push({ start, refuse: () => resolve(false), queuedAt: performance.now() });
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
