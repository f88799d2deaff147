import { hash, verify } from '@node-rs/argon2';
import { type Lanes, makeLanes } from '#server/fair-queue.ts';
import { QueueTimeout } from '#server/queue.ts';

/**
 * Where a password waits to be checked. `known` is for people who are signed in, have an invitation,
 * or use a browser that their account knows; `strangers` is for all others. The two lanes take
 * turns, and so do the groups of a lane, so strangers do not delay known people.
 */
export type HashPlace = { lane: 'known' | 'strangers'; group: string };

// In the global object, because one process may load this file twice: once for the front and jobs,
// once in the bundle of the pages.
const processGlobals = globalThis as { [key: symbol]: Lanes<HashPlace['lane']> | undefined };
const key = Symbol.for('staff-notification-api.hash-queues');

// One hash takes a core for about 20 ms. Two at a time leave the other cores to the interface.
processGlobals[key] ??= makeLanes({
  concurrency: 2,
  maxWaitMs: 10_000,
  lanes: { known: { maxWaiting: 1000 }, strangers: { maxWaiting: 400, maxWaitingPerGroup: 100 } },
});
const lanes = processGlobals[key];

// The hash of a random password that was not kept, made with the parameters of `hashPassword`.
const unknownAccountHash =
  '$argon2id$v=19$m=19456,t=2,p=1$Rzk9xAwUdNOWR8Es/QASig$UB8oMEIN6NLIrWz4xDzs7A+ChLRZvCQ1u56tcIt768o';

/**
 * Hashes a new password with argon2id and the library's defaults: 19 MiB and 2 passes, as OWASP
 * recommends. Without `group`, it waits with all others that have none. Throws `QueueTimeout` after
 * 10 s in the queue, or when too many wait.
 */
export async function hashPassword(password: string, group = 'new password'): Promise<string> {
  const hashed = await lanes('known', group, () => hash(password));
  if (hashed === 'busy') throw new QueueTimeout('the task waited too long in its queue');
  return hashed;
}

/**
 * Whether the password belongs to the hash. Without a hash it computes one all the same and returns
 * false, so that the time does not tell whether an account exists. `'busy'`: nothing was checked,
 * because too many wait.
 */
export async function matchesPassword(
  passwordHash: string | undefined,
  password: string,
  { lane, group }: HashPlace,
): Promise<boolean | 'busy'> {
  const matches = await lanes(lane, group, () => verify(passwordHash ?? unknownAccountHash, password));
  return matches === 'busy' ? matches : matches && passwordHash !== undefined;
}
