import { hash, verify } from '@node-rs/argon2';
import { processWide } from '#platform/config/process-wide.ts';
import { makeClassQueue } from '#platform/queues/fair-queue.ts';
import { QueueTimeout } from '#platform/queues/queue.ts';

/**
 * The place of a password check in the queue. `known` is for people who are signed in, have an
 * invitation, or use a browser that their account knows; `proven` for those with a proof of work or
 * from an address of their account; `strangers` for all others. The queue alternates between the
 * classes, and in a class between groups, so strangers neither delay others nor take their places.
 */
export type HashPlace = { class: 'known' | 'proven' | 'strangers'; group: string };

const strangers = { maxWaiting: 400, maxWaitingPerGroup: 100 };

// One hash takes a core for about 20 ms. Two at a time leave the other cores to the interface.
const queue = processWide('password-hashes', () =>
  makeClassQueue({ concurrency: 2, maxWaitMs: 10_000 }, { known: { maxWaiting: 1000 }, proven: strangers, strangers }),
);

// The hash of a random password that was not kept, made with the parameters of `hashPassword`.
const unknownAccountHash =
  '$argon2id$v=19$m=19456,t=2,p=1$Rzk9xAwUdNOWR8Es/QASig$UB8oMEIN6NLIrWz4xDzs7A+ChLRZvCQ1u56tcIt768o';

/**
 * Hashes a new password with argon2id and the library's defaults: 19 MiB and 2 passes, as OWASP
 * recommends. Without `group`, it waits with all others that have none. Throws `QueueTimeout` after
 * 10 s in the queue, or when too many wait.
 */
export async function hashPassword(password: string, group = 'new password'): Promise<string> {
  const hashed = await queue('known', group, () => hash(password));
  if (hashed === 'busy') throw new QueueTimeout('the task waited too long in its queue');
  return hashed;
}

/** Runs a task of some milliseconds of work in its turn. `'busy'`: it did not run, because too many wait. */
export function inHashQueue<Value>(place: HashPlace, task: () => Promise<Value>): Promise<Value | 'busy'> {
  return queue(place.class, place.group, task);
}

/**
 * Whether the password belongs to the hash. Without a hash it verifies a dummy and returns false,
 * so that the duration does not reveal whether an account exists. `'busy'`: nothing was checked,
 * because too many wait.
 */
export async function matchesPassword(
  passwordHash: string | null | undefined,
  password: string,
  place: HashPlace,
): Promise<boolean | 'busy'> {
  const matches = await inHashQueue(place, () => verify(passwordHash ?? unknownAccountHash, password));
  return matches === 'busy' ? matches : matches && Boolean(passwordHash);
}
