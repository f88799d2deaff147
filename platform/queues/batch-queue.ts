import { QueueTimeout } from '#platform/queues/queue.ts';

type BatchQueue<Item, Result> = (item: Item) => Promise<Result>;

/**
 * Options of a batch queue. At most `maxRunning` batches of at most `maxSize` items run at a time.
 * An item that waited longer than `maxWaitMs` does not run.
 */
export type BatchOptions<Item, Result> = {
  /** Handles 1 to `maxSize` items and returns their results in the same order. */
  run: (items: Item[]) => Promise<Result[]>;
  /** Whether an error of `run` means that none of the items was handled. */
  isUndone: (error: unknown) => boolean;
  /** Handles one item of a batch that failed without effect. */
  runAlone: (item: Item) => Promise<Result>;
  /** Two batches that run at the same time never have items of one group. */
  groupOf?: (item: Item) => number | undefined;
  maxRunning?: number;
  maxSize?: number;
  maxWaitMs?: number;
};

type Waiting<Item, Result> = {
  item: Item;
  queuedAt: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Makes a queue that handles items in batches: those that arrive while batches run form the next one; otherwise an item
 * waits for its turn of the event loop only. When a batch fails without effect, each item runs again alone, so that one
 * cannot fail the others. Rejects with `QueueTimeout` after `maxWaitMs` in the queue, else with the error of the last
 * run.
 */
export function makeBatchQueue<Item, Result>({
  run,
  isUndone,
  runAlone,
  groupOf = () => undefined,
  maxRunning = 2,
  maxSize = 100,
  maxWaitMs = 2000,
}: BatchOptions<Item, Result>): BatchQueue<Item, Result> {
  type One = Waiting<Item, Result>;
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

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, queuedAt: performance.now(), resolve, reject });
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(startBatches);
    });
}
