import type { Random } from '#e2e/support/data/random.ts';
import { words } from '#e2e/support/data/words.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

/** A body and its Content-Type. */
export type Body = { contentType: string | null; bytes: Buffer };

const texts = [
  ...['x', '😀'].flatMap((letter) =>
    [draftLimits.title, draftLimits.body].flatMap((limit) => [letter.repeat(limit), letter.repeat(limit + 1)]),
  ),
  ...'Rapat|Gaji November 💰|é|| |\u200B|\u00A0\u3000|\u0000|a\u0000b|\ud800|a\udc00|\u202Eterbalik|\uFFFF|\t'.split(
    '|',
  ),
  ..."'; drop table notifications; --|<script>alert(1)</script>|{{7*7}}|=1+1|%s%n|../../etc/passwd".split('|'),
  ...'\r\nX-Injected: 1|isi\nbaris|👨‍👩‍👧‍👦'.split('|'),
  'א'.repeat(255),
  'z'.repeat(5000),
];
const ids = [
  ...'0|-0|1|2|3|5.0|5e0|1e0|-1|2147483647|2147483648|9223372036854775808|1e400|1e-400|1.5|"1"'.split('|'),
  ...'"01"|" 1"|"abc"|""|null|true|[]|{}|[1]|"٣"|1e308|9007199254740993'.split('|'),
];
const urls = [
  ...'/|/portal/notifications|/a?b=//c|//evil.test|/\\evil|/\t/evil|http://x|javascript:alert(1)'.split('|'),
  ...'|/.//evil|/%2e//evil|/日本|/a b|/@evil|/\u0000|/\ud800'.split('|'),
  `/${'a'.repeat(2047)}`,
  `/${'a'.repeat(2048)}`,
];
const kinds = [...words('"info" "gaji" "kasbon" "INFO" 5 null [] "__proto__" {"a":1}'), `"${'k'.repeat(9000)}"`];
const strangeNames =
  '__proto__|constructor|toString|company_id|Judul|judul |title||a.b|judul[]|\u0000|é|userId|USER-ID'.split('|');

const fineTexts = ['Rapat', 'Gaji November 💰', '<b>tebal</b>', 'x'.repeat(draftLimits.title), '=1+1'].map((text) =>
  JSON.stringify(text),
);
const fine = new Map([
  ['user_id', ['0', '1', '"2"', '3.0']],
  ['jenis', ['"gaji"']],
  ['url', ['"/portal"']],
]);

function writtenValue(name: string, chance: Random): string {
  if (chance.happens(0.7)) return chance.of(fine.get(name) ?? fineTexts);
  if (chance.happens(0.05))
    return chance.of(['1', 'null', 'true', '[]', '{}', '"x"', '1e999', '{"a":[1,2,{"b":null}]}']);
  if (name === 'user_id') return chance.of(ids);
  if (name === 'jenis') return chance.of(kinds);
  return JSON.stringify(chance.of(name === 'url' ? urls : texts));
}

function memberOf(name: string, chance: Random): string {
  return `${JSON.stringify(name)}:${writtenValue(name, chance)}`;
}

function jsonText(chance: Random): string {
  const members = [
    ...(chance.happens(0.97) ? [memberOf('judul', chance)] : []),
    ...(chance.happens(0.97) ? [memberOf('isi', chance)] : []),
    ...(chance.happens(0.6) ? [memberOf('user_id', chance)] : []),
    ...(chance.happens(0.3) ? [memberOf('jenis', chance)] : []),
    ...(chance.happens(0.3) ? [memberOf('url', chance)] : []),
    ...(chance.happens(0.1) ? [memberOf(chance.of(strangeNames), chance)] : []),
    ...(chance.happens(0.05) ? [memberOf('user_id', chance)] : []),
  ];
  if (chance.happens(0.02)) return chance.of(['['.repeat(chance.below(20_000)), '[]', '[{}]', '"x"', 'null', '5']);
  return `{${members.join(chance.happens(0.9) ? ',' : ' ,\n')}}`;
}

const plain = (written: string) => {
  const value: unknown = written.startsWith('"') ? JSON.parse(written) : written;
  return String(value);
};

function formText(chance: Random): string {
  const encode = chance.happens(0.9)
    ? (text: string) => encodeURIComponent(text.toWellFormed())
    : (text: string) => text;
  const names = ['judul', 'isi', 'user_id', 'jenis', 'url', chance.of(strangeNames)];
  const pairs = names
    .filter((_, index) => index < 2 || chance.happens(0.4))
    .map((name) => `${encode(name)}=${encode(plain(writtenValue(name, chance)))}`);
  if (chance.happens(0.02)) pairs.push(chance.of(pairs));
  return pairs.join(chance.happens(0.97) ? '&' : chance.of([';', '&&', '&=&', '%']));
}

function multipart(chance: Random): Body {
  const boundary = chance.of(['b', '----WebKitFormBoundary7MA4', 'x'.repeat(70), 'x'.repeat(71), "a'()+_,-./:=?"]);
  const parts = ['judul', 'isi', 'user_id', 'url'].map((name) => {
    const label = chance.happens(0.95) ? name : chance.of(strangeNames);
    const file = chance.happens(0.02) ? '; filename="f.txt"' : '';
    const type = chance.happens(0.1)
      ? `Content-Type: ${chance.of(['text/plain', 'text/plain; charset=latin1', 'x'])}\r\n`
      : '';
    const head = `Content-Disposition: form-data; name="${label}"${file}\r\n${type}`;
    return `--${boundary}\r\n${head}\r\n${plain(writtenValue(name, chance))}\r\n`;
  });
  const end = chance.happens(0.95) ? `--${boundary}--\r\n` : chance.of(['', '--', `--${boundary}`]);
  const named = chance.happens(0.95) ? `; boundary=${/[^\w-]/.test(boundary) ? `"${boundary}"` : boundary}` : '';
  return { contentType: `multipart/form-data${named}`, bytes: Buffer.from(parts.join('') + end) };
}

// Changes a byte, cuts, inserts or removes one, or adds a byte order mark.
function damage(bytes: Buffer, chance: Random): Buffer {
  if (bytes.length === 0) return bytes;
  const at = chance.below(bytes.length);
  const damaged = Buffer.from(bytes);
  const kind = chance.below(5);
  if (kind === 0) damaged[at] = chance.below(256);
  if (kind === 1) return damaged.subarray(0, at);
  if (kind === 2)
    return Buffer.concat([damaged.subarray(0, at), Buffer.from([chance.below(256)]), damaged.subarray(at)]);
  if (kind === 3) return Buffer.concat([damaged.subarray(0, at), damaged.subarray(at + 1)]);
  return kind === 4 ? Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), damaged]) : damaged;
}

const labels = [
  ...'application/json; charset=utf-8|APPLICATION/JSON|text/plain|'.split('|'),
  ...'application/x-www-form-urlencoded|application/json; charset=latin1'.split('|'),
  ...'application/json, text/plain|multipart/form-data|;|a/b;c="|application/xml'.split('|'),
];

/** Makes a random body, mostly almost valid. */
export function makeBody(chance: Random): Body {
  const kind = chance.next();
  let body: Body;
  if (kind < 0.6) body = { contentType: 'application/json', bytes: Buffer.from(jsonText(chance)) };
  else if (kind < 0.8)
    body = { contentType: 'application/x-www-form-urlencoded', bytes: Buffer.from(formText(chance)) };
  else if (kind < 0.95) body = multipart(chance);
  else if (kind < 0.97) body = { contentType: 'application/json', bytes: Buffer.from(jsonText(chance), 'utf16le') };
  else if (kind < 0.99)
    body = {
      contentType: 'application/json',
      bytes: Buffer.from(Array.from({ length: chance.below(300) }, () => chance.below(256))),
    };
  else body = { contentType: 'application/json', bytes: Buffer.alloc(60_000 + chance.below(10_000), 0x20) };
  if (chance.happens(0.1)) body.bytes = damage(body.bytes, chance);
  if (chance.happens(0.06)) body.contentType = chance.of([...labels, null]);
  return body;
}
