export type WeakPassword = 'common-password' | 'own-name';

const maxDigitsAround = 8;
const minWordLength = 3;
const maxWords = 12;

// A cache, filled when the first password is chosen.
let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether a new password is one of the 49,000 commonest, or only a name from `names` (the company,
 * the person, the username) or some of its words. Case, spaces, signs, up to eight digits before or
 * after it, and repetition change nothing. Null when it is neither.
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
    .slice(0, maxWords);
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
  const cores = folded.length - bare.length <= maxDigitsAround && bare !== '' ? [folded, bare] : [folded];
  const repeated = cores.flatMap((core) => /^(.+?)\1+$/u.exec(core)?.[1] ?? []);
  return [...cores, ...repeated];
}
