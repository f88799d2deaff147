import { renewPools } from '#db/client.ts';

/** The database did not answer in the time there was for it. Whether it did what it was asked is not known. */
export class AnswerTimeout extends Error {
  readonly code = 'ANSWER_TIMEOUT';
}

const longestMs = 5500;

/**
 * Waits for the database, in all that is asked through it together, 5.5 s at most, and then throws `AnswerTimeout`. The server's own limits
 * hold for a statement it has begun; this one also for a server that stands still, a connection that died without a word, and
 * statements that wait behind others.
 */
export function makePatience(): <Value>(ask: () => Promise<Value>) => Promise<Value> {
  let left = longestMs;
  return (ask) =>
    new Promise((resolve, reject) => {
      const asked = performance.now();
      const timer = setTimeout(() => {
        renewPools();
        reject(new AnswerTimeout('the database did not answer in time'));
      }, left);
      ask()
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          left = Math.max(1, left - (performance.now() - asked));
        });
    });
}
