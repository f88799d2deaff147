import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFields } from '#server/api/body.ts';
import { isFailure } from '#server/api/failures.ts';
import { findKey, type NotifRequest, readAction } from '#server/api/request.ts';
import { SendInput } from '#server/api/send.ts';
import { generateKey, isKey } from '#server/keys/keys.ts';
import type { KeyDraft } from '#server/sends/by-key.ts';

type Meaning = { means: KeyDraft } | { code: string; field: string | undefined };

const requestOf = (headers: Record<string, string>, body = new Uint8Array(), search = ''): NotifRequest => ({
  method: 'POST',
  search,
  address: '',
  header: (name) => headers[name] ?? null,
  hasShortBody: async () => false,
  readBody: async () => body,
});

/** The notification that a body of this media type means, or its failure. */
async function meaningOf(contentType: string, body: string): Promise<Meaning> {
  const read = await readFields(requestOf({ 'content-type': contentType }, new TextEncoder().encode(body)));
  const checked = isFailure(read) ? read : SendInput.parse(read);
  return isFailure(checked) ? { code: checked.code, field: checked.field } : { means: checked };
}

const asJson = (body: string) => meaningOf('application/json', body);
const asForm = (pairs: [string, string][]) =>
  meaningOf('application/x-www-form-urlencoded', pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'));
const asMultipart = (pairs: [string, string][]) => {
  const quote = (name: string) => name.replace(/["\\]/g, '\\$&');
  const parts = pairs.map(
    ([name, value]) => `--=lim=\r\nContent-Disposition: form-data; name="${quote(name)}"\r\n\r\n${value}\r\n`,
  );
  return meaningOf('multipart/form-data; boundary="=lim="', `${parts.join('')}--=lim=--\r\n`);
};

// Almost numbers.
const digits = fc
  .array(fc.constantFrom('0', '0', '5', ' ', '+', '-', '.', ',', 'e', 'x', '\t', '\u00a0', '０', '٠', '\u200b'), {
    maxLength: 4,
  })
  .map((marks) => marks.join(''));
const text = fc.oneof(
  digits,
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 20 }).map((one) => one.toWellFormed()),
  fc.constantFrom(...'| |0|-0|5|05|/|//|/a|gaji|a&b=c|a+b%20|=|"|\r\n|--=lim|\u0000'.split('|')),
);
const fields = fc
  .record({ judul: text, isi: text, user_id: text, jenis: text, url: text, lain: text }, { requiredKeys: [] })
  .map((record) => Object.entries(record) as [string, string][]);

test('the same fields mean the same in all three media types', async () => {
  let fine = 0;
  await fc.assert(
    fc.asyncProperty(fields, async (pairs) => {
      // No field at all is no multipart form.
      fc.pre(pairs.length > 0);
      const json = await asJson(JSON.stringify(Object.fromEntries(pairs)));
      expect(await asForm(pairs)).toEqual(json);
      expect(await asMultipart(pairs)).toEqual(json);
      if ('means' in json) fine++;
    }),
    {
      numRuns: 3000,
      examples: [
        [
          [
            ['judul', 'a'],
            ['isi', 'b'],
            ['user_id', '5'],
            ['url', '/x'],
          ],
        ],
      ],
    },
  );
  expect(fine).toBeGreaterThan(0);
});

const isEveryone = (meaning: Meaning) => 'means' in meaning && meaning.means.recipients.to === 'everyone';
// Zero, as JSON or a form may write it: no digit but 0 before an exponent.
const zeroNumber = /^-?0+(?:\.0+)?(?:e[+-]?\d+)?$/i;

test('only a missing user_id or 0 means everyone (U3, U4)', async () => {
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.nat(99),
      fc.constantFrom('', '.0', '.5', '.00001', '.'),
      fc.constantFrom('', 'e1', 'e-400', 'E+5', 'e-3'),
    )
    .map((parts) => parts.join(''));
  const written = fc.oneof(
    fc.json({ maxDepth: 2 }),
    number,
    text.map((one) => JSON.stringify(one)),
    fc.double().map(String),
  );
  await fc.assert(
    fc.asyncProperty(written, async (value) => {
      const meaning = await asJson(`{"judul":"a","isi":"b","user_id":${value}}`);
      if (isEveryone(meaning)) expect(value.trim() === '"0"' || zeroNumber.test(value.trim()), value).toBe(true);
    }),
    { numRuns: 10_000 },
  );
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      const pairs: [string, string][] = [
        ['judul', 'a'],
        ['isi', 'b'],
        ['user_id', value],
      ];
      for (const meaning of [await asForm(pairs), await asMultipart(pairs)])
        if (isEveryone(meaning)) expect(value).toBe('0');
    }),
    { numRuns: 3000 },
  );
});

test('an integer and its decimal form are the same employee (U1, U2)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.maxSafeInteger(), async (id) => {
      const recipients = id === 0 ? { to: 'everyone' } : { to: 'one', employeeId: id };
      const wanted = { means: { recipients, title: 'a', body: 'b', kind: 'info', url: null } };
      expect(await asJson(`{"judul":"a","isi":"b","user_id":${id}}`)).toEqual(wanted);
      expect(
        await asForm([
          ['judul', 'a'],
          ['isi', 'b'],
          ['user_id', String(id)],
        ]),
      ).toEqual(wanted);
    }),
    { numRuns: 3000 },
  );
});

test('any bytes as a body are read or refused, without an exception (B1–B7)', async () => {
  const kinds = [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'text/plain',
    '',
  ];
  const start = fc.constantFrom(
    '',
    '{"judul":"a","isi":"b","x":',
    'judul=a&isi=b&x=',
    '--b\r\nContent-Disposition: form-data; name="judul"\r\n\r\n',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...kinds),
      start,
      fc.uint8Array({ maxLength: 300 }),
      async (contentType, begun, bytes) => {
        const body = new Uint8Array([...new TextEncoder().encode(begun), ...bytes]);
        const read = await readFields(requestOf({ 'content-type': contentType }, body));
        if (isFailure(read)) expect(read.code).toMatch(/^[a-z0-9_]+$/);
        else {
          expect(Object.keys(read)).toEqual(['judul', 'isi', 'user_id', 'jenis', 'url']);
          SendInput.parse(read);
        }
      },
    ),
    { numRuns: 10_000 },
  );
  expect('polluted' in {}).toBe(false);
});

test('a key is read only from exactly one header that holds nothing else (H1–H10)', () => {
  const [key, other] = [generateKey(), generateKey()];
  const piece = fc.constantFrom(
    key,
    other,
    key.slice(0, 40),
    'jss_',
    'Bearer',
    'bearer',
    'Basic',
    ' ',
    '  ',
    '\t',
    ',',
    ', ',
    '"',
    ':',
    'x',
    'é',
    '\u00a0',
    '%00',
  );
  const value = fc.option(fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')));
  let found = 0;
  fc.assert(
    fc.property(value, value, (authorization, inHeader) => {
      const headers = {
        ...(authorization === null ? {} : { authorization }),
        ...(inHeader === null ? {} : { 'x-api-key': inHeader }),
      };
      const result = findKey(requestOf(headers));
      if ('failure' in result) return;
      found++;
      expect(isKey(result.key)).toBe(true);
      const trimmed = (given: string | null) => (given ?? '').replace(/^[ \t]+|[ \t]+$/g, '');
      const stands = [trimmed(authorization).replace(/^bearer +/i, ''), trimmed(inHeader)].filter((one) =>
        one.startsWith('jss_'),
      );
      expect(stands).toEqual([result.key]);
    }),
    { numRuns: 20_000 },
  );
  expect(found).toBeGreaterThan(100);
});

test('aksi is read only when the query has it exactly once (A1–A3)', () => {
  const piece = fc.constantFrom(...'aksi|Aksi|aksi[]|=|&|?|ping|karyawan|%61ksi|+|%00|;|#|x|%|&aksi='.split('|'));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const search = `?${pieces.join('')}`;
      const values = new URLSearchParams(search).getAll('aksi');
      const read = readAction(search);
      if ('aksi' in read) expect(values).toEqual([read.aksi]);
      else expect(values.length !== 1 || values[0] === '').toBe(true);
    }),
    { numRuns: 10_000 },
  );
});
