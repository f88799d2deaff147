import { setImmediate as breathe } from 'node:timers/promises';
import pLimit from 'p-limit';
import { makePatience } from '#db/driver/deadline.ts';

const mostAtOnce = 32;
const turnsBetween = 3;

const running = pLimit(mostAtOnce);
const beginning = pLimit(1);

/**
 * Runs what a portal asks of the database when its turn comes: one begins in every third turn of the event loop, 32 run at a time in this
 * process, each for 5.5 s at most (`AnswerTimeout`). Node takes one connection in each turn: were every turn full of portals, of which
 * thousands come back at once after a restart, whoever calls the interface meanwhile would not be taken until the last of them is served.
 */
export const inTurn = <Value>(ask: () => Promise<Value>): Promise<Value> =>
  running(async () => {
    await beginning(async () => {
      for (let turn = 0; turn < turnsBetween; turn++) await breathe();
    });
    return makePatience()(ask);
  });
