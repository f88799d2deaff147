import type { Random } from '#e2e/support/data/random.ts';
import { words } from '#e2e/support/data/words.ts';

// Pieces that URL parsers strip, fold or decode (WHATWG URL, §4.4).
const pieces = [
  ...words(String.raw`/ / / \ . . % 2 f 5 c @ : ? # e - [ ] // /\ .. /. /.. /./ /../`),
  ...words('%2e %2E %2f %5c %5C %00 %09 %0a %0d %25 %zz % ?next=//evil.test #//evil.test /;/'),
  ...words('javascript: data: http: https:// file: evil.test a@evil.test localhost 127.0.0.1 [::1] :80 0x7f.1'),
  ...words('; | ^ ` { } " < > & = * ~ + $ ! , x portal é 日 😀 ß'),
  ...['\t', '\n', '\r', ' ', "'", '\ud800', '\udc00', '\u00a0', '\u2028', '\ufeff'],
  ...'\u0000\u000b\u001f\u007f\u0085\u00ad\u200b\u202e\u3002\uff0f\uff0e\uff3c\u2215\u29f8\u0130',
];

/**
 * A random path of up to 11 pieces that URL parsers read differently. Nine of ten begin with `/`.
 */
export function asPath(chance: Random): string {
  let path = chance.happens(0.9) ? '/' : '';
  for (let left = chance.below(11); left > 0; left--) path += chance.of(pieces);
  return path;
}

/** Paths that stay on the portal, although some look as if they led to another host. */
export const innerPaths = [
  ...'/|/a/b?x=1#y|/a?next=//evil.test|/a b|/日本|/%2f/evil.test|/%5cevil.test|/javascript:alert(1)|/@evil.test'.split(
    '|',
  ),
  ...'/a//b|/a/../b|/..|/%|/%zz|/:80|/?|/#|/#//evil.test|/a\u202eb|/😀|/"onmouseover="alert(1)|/<script>'.split('|'),
  ...'/a%00|/%0a/evil'.split('|'),
];
