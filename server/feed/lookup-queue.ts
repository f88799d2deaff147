import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { withDeadline } from '#db/deadline.ts';

const maxRunning = 32;
const turnsBetweenStarts = 3;

const running = pLimit(maxRunning);
const starting = pLimit(1);

/**
 * Runs a database query of a portal in this process's queue. At most 32 run at a time, each for at
 * most 5.5 s (`AnswerTimeout`). One starts in every third turn of the event loop: Node accepts one
 * connection per turn, so API requests are accepted while thousands of portals reconnect.
 */
export const lookupQueue = <Value>(query: () => Promise<Value>): Promise<Value> =>
  running(async () => {
    await starting(async () => {
      for (let turn = 0; turn < turnsBetweenStarts; turn++) await nextTurn();
    });
    return withDeadline(query);
  });
