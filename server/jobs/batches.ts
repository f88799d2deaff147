import { setTimeout as wait } from 'node:timers/promises';
import { sql } from '#db/client.ts';
import type { Fragment } from '#db/notify.ts';

const minPauseMs = 20;
const pagesPerBatch = 100;

/**
 * Waits as long as the batch that began at `startedAt` (of `performance.now()`) took, at least 20
 * ms.
 */
const pause = (startedAt: number) => wait(Math.max(minPauseMs, performance.now() - startedAt));

/**
 * Runs one batch of background work and then pauses, so that such work uses at most half the time
 * of one connection.
 */
export async function thenPause<Result>(batch: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await batch();
  await pause(startedAt);
  return result;
}

/** Runs batches until one returns `'done'`, with a pause after each other one. */
export async function inBatches(batch: () => Promise<'more' | 'done'>): Promise<void> {
  for (let startedAt = performance.now(); (await batch()) === 'more'; startedAt = performance.now())
    await pause(startedAt);
}

/** The tables whose rows expire by the same rule for all companies. */
export type SweptTable =
  | 'build_files'
  | 'held_sends'
  | 'idempotency'
  | 'imports'
  | 'invitations'
  | 'join_links'
  | 'join_requests'
  | 'key_traffic'
  | 'planned_sends'
  | 'portals'
  | 'refusal_counts'
  | 'send_rules'
  | 'sessions'
  | 'sign_in_failures'
  | 'sign_in_guesses';

/**
 * Deletes the rows of a table that meet a condition; the condition calls the table `old`. Reads the
 * table once from start to end, 100 pages of 8 kB in a batch, so a batch costs the same for a table
 * of any size and no insert has to maintain an index for it. Of a partitioned table, a batch reads
 * the same pages of all partitions: a place is meant in each of them.
 */
export async function sweepTable(table: SweptTable, condition: () => Fragment): Promise<void> {
  // A partitioned table has no pages itself. A table that is not partitioned has no partitions.
  const [size] = await sql()<{ pages: number; parts: number }[]>`
    select coalesce(max(pg_relation_size(stored.relid) / current_setting('block_size')::int), 0)::int as pages,
      greatest(count(*), 1)::int as parts
    from (
      select relid from pg_partition_tree(${table}::text::regclass) where isleaf
      union select ${table}::text::regclass
    ) stored`;
  const { pages, parts } = size ?? { pages: 0, parts: 1 };
  if (pages === 0) return;
  const step = Math.max(1, Math.floor(pagesPerBatch / parts));
  let from = 0;
  await inBatches(async () => {
    const [first, next] = [`(${from},0)`, `(${from + step},0)`];
    await sql()`
      delete from ${sql()(table)} old where old.ctid >= ${first}::tid and old.ctid < ${next}::tid and ${condition()}`;
    from += step;
    return from < pages ? 'more' : 'done';
  });
}
