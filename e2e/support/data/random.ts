import { randomBytes } from 'node:crypto';
import blns from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };
import { countCharacters, findTextProblem } from '#server/notifications/field-rules.ts';

/** Creates a random generator (mulberry32) that gives the same values for the same seed. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const of = <One>(all: readonly One[]) => all[below(all.length)] as One;
  return { next, below, of, happens: (probability: number) => next() < probability };
}

export type Random = ReturnType<typeof createRandom>;

/** A client address of the range for documentation, in a network of its own. */
export function randomAddress(): string {
  const [first, second] = [0, 1].map(() => (0x1000 + (randomBytes(2).readUInt16BE() % 0xe000)).toString(16));
  return `2001:db8:${first}:${second}::9`;
}

export const words = (text: string): string[] => text.trim().split(/\s+/);

// Pieces that URL parsers strip, fold or decode (WHATWG URL, §4.4).
const pieces = [
  ...words(String.raw`/ / / \ . . % 2 f 5 c @ : ? # e - [ ] // /\ .. /. /.. /./ /../`),
  ...words('%2e %2E %2f %5c %5C %00 %09 %0a %0d %25 %zz % ?next=//evil.test #//evil.test /;/'),
  ...words('javascript: data: http: https:// file: evil.test a@evil.test localhost 127.0.0.1 [::1] :80 0x7f.1'),
  ...words('; | ^ ` { } " < > & = * ~ + $ ! , x portal é 日 😀 ß'),
  ...['\t', '\n', '\r', ' ', "'", '\ud800', '\udc00', '\u00a0', '\u2028', '\ufeff'],
  ...'\u0000\u000b\u001f\u007f\u0085\u00ad\u200b\u202e\u3002\uff0f\uff0e\uff3c\u2215\u29f8\u0130',
];

/** A random path of up to 11 pieces that URL parsers read differently. Nine of ten begin with `/`. */
export function asPath(chance: Random): string {
  let path = chance.happens(0.9) ? '/' : '';
  for (let left = chance.below(11); left > 0; left--) path += chance.of(pieces);
  return path;
}

/** Paths that stay on the portal, although some look as if they led to another host. */
export const innerPaths = [
  ...'/|/a/b?x=1#y|/a?next=//evil.test|/a b|/日本|/%2f/evil.test|/%5cevil.test|/javascript:alert(1)'.split('|'),
  ...'/a//b|/a/../b|/..|/%|/%zz|/:80|/?|/#|/#//evil.test|/a\u202eb|/😀|/"onmouseover="alert(1)|/<script>'.split('|'),
  ...'/a%00|/%0a/evil|/@evil.test'.split('|'),
];

// Dangers of this service that the Big List of Naughty Strings lacks. Code that runs calls `hacked`.
const own = [
  ...['<script>window.hacked=1</script>', '</script><script>window.hacked=1</script>'],
  ...['<img src=x onerror="window.hacked=1">', '<svg/onload=window.hacked=1>'],
  ...['"><iframe srcdoc="<script>parent.hacked=1</script>">', "'-window.hacked-'"],
  ...['{{constructor.constructor("window.hacked=1")()}}', '<a href="javascript:window.hacked=1">klik</a>'],
  ...['<style>@import "https://evil.test/x.css";</style>', '<link rel=prefetch href=https://evil.test/x>'],
  ...['<base href=https://evil.test/>', '<meta http-equiv=refresh content="0;url=https://evil.test/">'],
  ...['<form action=https://evil.test/><button>kirim', '![x](https://evil.test/x.png)'],
  ...['[klik](javascript:window.hacked=1)', '<!--', ']]>', '</textarea></title></style>', '&lt;script&gt;', '$1$&$`'],
  ...['{name}', '{count, plural, other {#}}', "{'", '<b>{x}</b>', '\u202egnp.exe\u202c', '\u2066\u202eterbalik'],
  ...['a\u2028b\u2029c', 'x\u200b\u200d\ufeffy', 'e\u0301\u0323'.repeat(20), '=HYPERLINK("https://evil.test","x")'],
  ...["=cmd|' /C calc'!A0", '+1+1', '-2+3', '@SUM(1,1)', '\t=1+1', '\r=1+1', ' =1+1', '＝1+1', '";=1+1', 'a;b,c"d\'e'],
  ...['a\r\n=1+1', '%00%0d%0aX: y', '\\u0000', '-0', '[]', '__proto__'],
];

/** Texts that are known to break programs: the Big List of Naughty Strings and some of our own, without duplicates. */
export const naughtyTexts: string[] = [...new Set([...blns, ...own])];

/** Joins `naughtyTexts` into texts of at most `limit` characters, without those that no text may have. */
export function packTexts(limit: number): string[] {
  const packs: string[] = [];
  for (const text of naughtyTexts.filter(
    (one) => findTextProblem(one, limit)?.code !== 'forbidden_character' && countCharacters(one) <= limit,
  )) {
    const longer = `${packs.at(-1)} ${text}`;
    if (packs.length > 0 && countCharacters(longer) <= limit) packs[packs.length - 1] = longer;
    else packs.push(text);
  }
  return packs;
}
