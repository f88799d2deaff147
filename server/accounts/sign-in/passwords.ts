import { hash, verify } from '@node-rs/argon2';
import { processWide } from '#platform/config/process-wide.ts';
import { makeClassQueue, QueueTimeout } from '#platform/queues.ts';

/**
 * The place of a password check in the queue, so that strangers delay nobody. `known`: signed in, invited, or in a
 * browser that the account knows. `here`: an unknown browser at an address of the account's sessions.
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

/** Hashes a new password with argon2id, 19 MiB and 2 passes, as OWASP recommends. Throws `QueueTimeout` after 10 s. */
export async function hashPassword(password: string, group = 'new password'): Promise<string> {
  const hashed = await queue('known', group, () => hash(password));
  if (hashed === 'busy') throw new QueueTimeout('the task waited too long in its queue');
  return hashed;
}

/** Whether the password belongs to the hash. Without a hash it takes as long. `'busy'`: nothing was checked. */
export async function matchesPassword(passwordHash: string | null | undefined, password: string, place: HashPlace) {
  const matches = await queue(place.class, place.group, () => verify(passwordHash ?? unknownAccountHash, password));
  return matches === 'busy' ? matches : matches && Boolean(passwordHash);
}

export type WeakPassword = 'common-password' | 'own-name';

const minWordLength = 3;

// A cache, filled when the first password is chosen.
let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether a new password is one of the 49,000 commonest, or a name from `names` or some of its words. Case, spaces,
 * signs, up to eight digits around it, and repetition change nothing.
 */
export async function findWeakness(password: string, names: string[]): Promise<WeakPassword | null> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'] as string[]),
  );
  const commonPasswords = await common;
  const spellings = [password.toLowerCase(), ...coresOf(password)];
  const own = new Set(names.flatMap(wordRunsOf).flatMap(coresOf));
  if (spellings.some((spelling) => spelling.length >= minWordLength && own.has(spelling))) return 'own-name';
  return spellings.some((spelling) => commonPasswords.has(spelling) || spelling.length < minWordLength)
    ? 'common-password'
    : null;
}

// A name, and every run of its words: of "PT Melati Jaya" also "Melati Jaya".
function wordRunsOf(name: string): string[] {
  const words = name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 12);
  return [
    name,
    ...words.flatMap((_, from) => words.slice(from).map((_, offset) => words.slice(from, from + offset + 1).join(''))),
  ];
}

// The letters and digits of a text; without digits around it; and the part that it repeats.
function coresOf(text: string): string[] {
  const folded = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  const bare = folded.replace(/^\p{N}+|\p{N}+$/gu, '');
  const cores = folded.length - bare.length <= 8 && bare !== '' ? [folded, bare] : [folded];
  const repeated = cores.flatMap((core) => /^(.+?)\1+$/u.exec(core)?.[1] ?? []);
  return [...cores, ...repeated];
}
