import { hash, verify } from '@node-rs/argon2';
import { processWide } from '#platform/config/process-wide.ts';
import { makeClassQueue } from '#platform/queues/fair-queue.ts';
import { QueueTimeout } from '#platform/queues/queue.ts';

/**
 * The place of a password check in the queue. `known` is for people who are signed in, have an
 * invitation, or use a browser that their account knows; `here` for unknown browsers at an address of
 * the account's sessions; `unknown` for all others. The queue alternates between the classes, and in
 * a class between groups, so strangers neither delay others nor take their places.
 */
export type HashPlace = { class: 'known' | 'here' | 'unknown'; group: string };

const unknown = { maxWaiting: 400, maxWaitingPerGroup: 100 };

// One hash takes a core for about 20 ms. Two at a time leave the other cores to the interface.
const queue = processWide('password-hashes', () =>
  makeClassQueue({ concurrency: 2, maxWaitMs: 10_000 }, { known: { maxWaiting: 1000 }, here: unknown, unknown }),
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

/**
 * Whether the password belongs to the hash. Without a hash it verifies a dummy and returns false, so that the
 * duration does not reveal whether an account exists. `'busy'`: nothing was checked, because too many wait.
 */
export async function matchesPassword(
  passwordHash: string | null | undefined,
  password: string,
  place: HashPlace,
): Promise<boolean | 'busy'> {
  const matches = await queue(place.class, place.group, () => verify(passwordHash ?? unknownAccountHash, password));
  return matches === 'busy' ? matches : matches && Boolean(passwordHash);
}
