import { renewPools } from '#db/client.ts';

/** The database did not answer in time. The statement may or may not have been executed. */
export class AnswerTimeout extends Error {
  readonly code = 'ANSWER_TIMEOUT';
}

/** Waits for `ask` until the deadline, then throws `AnswerTimeout`. */
export type WithDeadline = <Value>(ask: () => Promise<Value>) => Promise<Value>;

/**
 * Makes a time budget of 5.5 s that several statements share. Unlike PostgreSQL's limits, it covers a server that
 * hangs, a dead connection, and a wait behind other statements. A missed deadline renews the pools.
 */
export function createDeadline(): WithDeadline {
  let remainingMs = 5500;
  return (ask) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const timer = setTimeout(() => {
        renewPools();
        reject(new AnswerTimeout('the database did not answer in time'));
      }, remainingMs);
      ask()
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          remainingMs = Math.max(1, remainingMs - (performance.now() - startedAt));
        });
    });
}

export const withDeadline: WithDeadline = (ask) => createDeadline()(ask);
