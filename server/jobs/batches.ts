import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '#db/client.ts';

const shortestBreathMs = 20;
const pagesAtOnce = 100;

const breathe = (started: number) => pause(Math.max(shortestBreathMs, performance.now() - started));

/**
 * Does a small step of work that may be put off, then waits for as long as it took and at least 20 ms: such work takes half of one connection's
 * time at most, and everybody else's statements come in between.
 */
export async function unhurried<Result>(step: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const result = await step();
  await breathe(started);
  return result;
}

/** Repeats a step until it answers `'done'`, with a breath as `unhurried` takes it in between. */
export async function inSmallSteps(step: () => Promise<'more' | 'done'>): Promise<void> {
  for (let started = performance.now(); (await step()) === 'more'; started = performance.now()) await breathe(started);
}

/** Tables from which rows go by their age alone, whosever they are. */
export type SweptTable =
  | 'idempotency'
  | 'imports'
  | 'invitations'
  | 'key_traffic'
  | 'portals'
  | 'push_subscriptions'
  | 'sessions'
  | 'sign_in_failures';

/**
 * Deletes the rows of a table that meet a condition (over its alias `old`), going through it once from its first page to its last, 100 pages
 * of 8 kB in each step: a step costs the same however large the table is, and no send has to keep an index up to date for it.
 */
export async function sweepTable(table: SweptTable, condition: () => ReturnType<typeof rule>): Promise<void> {
  const [size] = await sql()<{ pages: number }[]>`
    select (pg_relation_size(${table}::text::regclass) / current_setting('block_size')::int)::int as pages`;
  const pages = size?.pages ?? 0;
  let from = 0;
  if (pages > 0)
    await inSmallSteps(async () => {
      const [first, next] = [`(${from},0)`, `(${from + pagesAtOnce},0)`];
      await sql()`delete from ${sql()(table)} old where old.ctid >= ${first}::tid and old.ctid < ${next}::tid and ${condition()}`;
      from += pagesAtOnce;
      return from < pages ? 'more' : 'done';
    });
}

const rule = () => sql()``;
