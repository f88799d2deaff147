import pLimit from 'p-limit';
import { makePatience } from '#db/patience.ts';

const turns = pLimit(16);

/**
 * Runs what a portal asks of the database when its turn comes: 16 at a time in this process, each waits 5.5 s at most and then throws
 * `AnswerTimeout`. Thousands come back at once after a restart, and whoever calls the interface meanwhile must not wait behind all of them.
 */
export const inTurn = <Value>(ask: () => Promise<Value>): Promise<Value> => turns(() => makePatience()(ask));
