import { hash, verify } from '@node-rs/argon2';
import { makeGroupQueue } from '#server/queue.ts';

// One hash takes a core for about 20 ms. Two at a time leave the other cores to the interface.
const hashQueue = makeGroupQueue<'argon2'>(2, 10_000);

// The hash of a random password that was not kept, made with the parameters of `hashPassword`.
const unknownAccountHash =
  '$argon2id$v=19$m=19456,t=2,p=1$Rzk9xAwUdNOWR8Es/QASig$UB8oMEIN6NLIrWz4xDzs7A+ChLRZvCQ1u56tcIt768o';

/**
 * Hashes a password with argon2id and the library's defaults: 19 MiB and 2 passes, as OWASP
 * recommends. Throws `QueueTimeout` after 10 s in the queue.
 */
export function hashPassword(password: string): Promise<string> {
  return hashQueue('argon2', () => hash(password));
}

/**
 * Whether the password belongs to the hash. Without a hash it computes one all the same and returns
 * false, so that the time does not tell whether an account exists.
 */
export async function matchesPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const matches = await hashQueue('argon2', () => verify(passwordHash ?? unknownAccountHash, password));
  return matches && passwordHash !== undefined;
}
