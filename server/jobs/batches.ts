import { setTimeout as wait } from 'node:timers/promises';
import { sql } from '#db/client.ts';
import type { Fragment } from '#db/notify.ts';

const minPauseMs = 20;
const pagesPerBatch = 100;

/** Waits as long as the batch that began at `startedAt` took, at least 20 ms. */
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
export type ExpiringTable =
  | 'build_files'
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
 * table once from start to end, 100 pages of 8 kB in a batch. So the cost of a batch does not
 * depend on the table's size, and inserts maintain no index for it.
 */
export async function deleteInBatches(table: ExpiringTable, condition: () => Fragment): Promise<void> {
  const [size] = await sql()<{ pages: number }[]>`
    select (pg_relation_size(${table}::text::regclass) / current_setting('block_size')::int)::int as pages`;
  const pages = size?.pages ?? 0;
  if (pages === 0) return;
  let from = 0;
  await inBatches(async () => {
    const [first, next] = [`(${from},0)`, `(${from + pagesPerBatch},0)`];
    await sql()`
      delete from ${sql()(table)} old where old.ctid >= ${first}::tid and old.ctid < ${next}::tid and ${condition()}`;
    from += pagesPerBatch;
    return from < pages ? 'more' : 'done';
  });
}
