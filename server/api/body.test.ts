import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFields } from '#server/api/body.ts';
import { isFailure } from '#server/api/failures.ts';
import type { NotifRequest } from '#server/api/request.ts';
import { SendInput } from '#server/api/send.ts';
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
    { numRuns: 3000, examples: [[Object.entries({ judul: 'a', isi: 'b', user_id: '5', url: '/x' })]] },
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
      const pairs = Object.entries({ judul: 'a', isi: 'b', user_id: value });
      for (const meaning of [await asForm(pairs), await asMultipart(pairs)])
        if (isEveryone(meaning)) expect(value).toBe('0');
    }),
    { numRuns: 3000 },
  );
});
