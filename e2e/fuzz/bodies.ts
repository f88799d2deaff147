import { naughtyTexts } from '#e2e/support/data/naughty.ts';
import type { Random } from '#e2e/support/data/random.ts';
import { words } from '#e2e/support/data/words.ts';
import { asPath } from '#e2e/support/http/paths.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

/** A body, its Content-Type, and its fields: empty when it was damaged, which can join two fields. */
export type Body = { contentType: string | null; bytes: Buffer; names: string[] };

type Field = [name: string, written: string];

const longTexts = ['x', '😀'].flatMap((letter) =>
  [draftLimits.title, draftLimits.body].flatMap((limit) => [letter.repeat(limit), letter.repeat(limit + 1)]),
);
const texts = [...naughtyTexts, ...longTexts, '', ' ', '\u0000', 'a\u0000b', '\ud800', 'a\udc00', 'z'.repeat(5000)];
const ids = words(`
  0 -0 1 2 3 5.0 5e0 -1 2147483648 9223372036854775808 1e400 1e-400 1.5 "1" "01" "abc" "" null true [] {} [1] "٣"
`);
const kinds = words('"info" "gaji" "INFO" 5 null [] "__proto__" {"a":1}');
const strangeNames =
  '__proto__|constructor|company_id|Judul|judul |title||a.b|judul[]|\u0000|é|userId|USER-ID|karyawan_id|penerima'.split(
    '|',
  );
const fine = new Map([
  ['user_id', ['0', '1', '"2"', '3.0']],
  ['jenis', ['"gaji"']],
  ['url', ['"/portal"']],
]);

function writtenValue(name: string, chance: Random): string {
  if (chance.happens(0.7)) return chance.of(fine.get(name) ?? ['"Rapat"', '"Gaji November 💰"', '"<b>tebal</b>"']);
  if (name === 'user_id') return chance.of(ids);
  if (name === 'jenis') return chance.of(kinds);
  if (chance.happens(0.05)) return chance.of(['1', 'null', '[]', '1e999', '{"a":[1,2,{"b":null}]}']);
  return JSON.stringify(name === 'url' ? asPath(chance) : chance.of(texts));
}

/** Fields by name with their values as JSON: most of them there, some of them twice or strange. */
function makeFields(chance: Random): Field[] {
  const shares = { judul: 0.97, isi: 0.97, user_id: 0.6, jenis: 0.3, url: 0.3, [chance.of(strangeNames)]: 0.1 };
  const names = Object.entries(shares).flatMap(([name, share]) => (chance.happens(share) ? [name] : []));
  if (chance.happens(0.03)) names.push(chance.of([...names, 'user_id']));
  return names.map((name) => [name, writtenValue(name, chance)]);
}

const plain = (written: string) => String(written.startsWith('"') ? JSON.parse(written) : written);

function makeJson(fields: Field[], chance: Random): string {
  if (chance.happens(0.02)) return chance.of(['['.repeat(chance.below(20_000)), '[]', '[{}]', '"x"', 'null', '5']);
  return `{${fields.map(([name, written]) => `${JSON.stringify(name)}:${written}`)}}`;
}

function makeForm(fields: Field[], chance: Random): string {
  const encode = chance.happens(0.9) ? (text: string) => encodeURIComponent(text.toWellFormed()) : String;
  const pairs = fields.map((pair) => pair.map(plain).map(encode).join('='));
  return pairs.join(chance.happens(0.97) ? '&' : chance.of([';', '&&', '&=&', '%']));
}

function makeMultipart(fields: Field[], chance: Random): Omit<Body, 'names'> {
  const boundary = chance.of(['b', '----WebKitFormBoundary7MA4', 'x'.repeat(70), 'x'.repeat(71)]);
  const parts = fields.map(([name, written]) => {
    const file = chance.happens(0.02) ? '; filename="f.txt"' : '';
    const head = `Content-Disposition: form-data; name="${name}"${file}`;
    return `--${boundary}\r\n${head}\r\n\r\n${plain(written)}\r\n`;
  });
  const end = chance.happens(0.95) ? `--${boundary}--\r\n` : chance.of(['', '--', `--${boundary}`]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.from(parts.join('') + end) };
}

// Changes a byte, cuts, inserts or removes one.
function damage(bytes: Buffer, chance: Random): Buffer {
  const at = chance.below(bytes.length + 1);
  const middle = chance.of([Buffer.of(chance.below(256)), Buffer.alloc(0)]);
  const rest = chance.of([bytes.subarray(at), bytes.subarray(at + 1), Buffer.alloc(0)]);
  return Buffer.concat([bytes.subarray(0, at), middle, rest]);
}

const labels = [
  ...'application/json; charset=utf-8|APPLICATION/JSON|text/plain||application/json; charset=latin1'.split('|'),
  ...'application/x-www-form-urlencoded|application/json, text/plain|multipart/form-data|;|a/b;c="'.split('|'),
];

/** Makes a random body, mostly almost valid. */
export function makeBody(chance: Random): Body {
  const kind = chance.next();
  const fields = makeFields(chance);
  const names = fields.map(([name]) => name);
  const asJson = (bytes: Buffer): Body => ({ contentType: 'application/json', bytes, names });
  let body = asJson(Buffer.from(makeJson(fields, chance), kind < 0.98 ? 'utf8' : 'utf16le'));
  if (kind < 0.2)
    body = { contentType: 'application/x-www-form-urlencoded', bytes: Buffer.from(makeForm(fields, chance)), names };
  else if (kind < 0.35) body = { ...makeMultipart(fields, chance), names };
  else if (kind < 0.37) body = asJson(Buffer.alloc(60_000 + chance.below(10_000), 0x20));
  if (chance.happens(0.1)) body = { ...body, bytes: damage(body.bytes, chance), names: [] };
  if (chance.happens(0.06)) body.contentType = chance.of([...labels, null]);
  return body;
}
