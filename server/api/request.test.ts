import { TRPCError } from '@trpc/server';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { github, webhooks } from '#e2e/support/http/webhooks.ts';
import { languages } from '#platform/language.ts';
import { type Failure, failureSentence, isFailure } from '#server/api/failures.ts';
import { type NotifRequest, readFields } from '#server/api/request.ts';
import { asIdempotencyClaim, failureOfInput, type ReceivedFields, SendInput } from '#server/api/send.ts';
import { generateKey } from '#server/keys/keys.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import type { KeyDraft } from '#server/sends/by-key.ts';

type Meaning = { means: KeyDraft } | { code: string; field: string | undefined; sentences: string[] };

const requestOf = (headers: Record<string, string>, body = new Uint8Array(), search = ''): NotifRequest => ({
  method: 'POST',
  search,
  address: '',
  header: (name) => headers[name] ?? null,
  hasShortBody: async () => false,
  readBody: async () => body,
});

function check(fields: ReceivedFields): KeyDraft | Failure {
  const { data, error } = SendInput.safeParse(fields);
  return data ?? failureOfInput(new TRPCError({ code: 'BAD_REQUEST', cause: error }), fields);
}

/** The notification that a body of this media type means, or its failure. */
async function meaningOf(contentType: string, body: string, search = ''): Promise<Meaning> {
  const read = await readFields(requestOf({ 'content-type': contentType }, new TextEncoder().encode(body), search));
  const checked = isFailure(read) ? read : check(read);
  if (!isFailure(checked)) return { means: checked };
  const sentences = languages.map((language) => failureSentence(checked, language));
  return { code: checked.code, field: checked.field, sentences };
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
const mark = fc.constantFrom(...'005 +-.,ex\t\u00a0０٠\u200b');
const digits = fc.array(mark, { maxLength: 4 }).map((marks) => marks.join(''));
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

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const inParts = 'multipart/form-data; boundary=b';
const file = '--data-binary "@isi.json"';
const encoded = (encoding: string) =>
  `--b\r\nContent-Disposition: form-data; name="judul"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\na=\r\n--b--`;

const recipe = '/docs/recipes/webhooks';
const tooLong = (name: string, length: number) => JSON.stringify({ judul: 'a', isi: 'b', [name]: '😀'.repeat(length) });

// What a shell or a tool makes of JSON and forms, and what the sentence names in every language.
test.each([
  ["'{judul:Halo,isi:Dunia}'", json, 'json_malformed', ['(cmd)', file]],
  ["'{judul:Halo,isi:Dunia}'", form, 'json_labelled_as_form', ['(cmd)', file, 'Content-Type: application/json']],
  ["'{judul:", form, 'json_labelled_as_form', ['(cmd)', file]],
  ['\'{"judul":"Halo"}\'', json, 'json_malformed', ['(cmd)', file]],
  ['{judul:Halo,isi:Dunia}', json, 'json_malformed', ['PowerShell 5.1', '(cmd)', file]],
  ['{judul:Halo,isi:Dunia}', form, 'json_labelled_as_form', ['PowerShell 5.1', '(cmd)', file]],
  ['{ judul: Halo', form, 'json_labelled_as_form', ['PowerShell 5.1', file]],
  ['{\\"judul\\":\\"Halo\\"}', json, 'json_malformed', ['PowerShell 7', 'bash', file]],
  ['{\\"judul\\":\\"Halo\\"}', form, 'json_labelled_as_form', ['PowerShell 7', 'bash', file]],
  [JSON.stringify('{"judul":"Halo"}'), json, 'json_not_object', ['n8n', 'Uptime Kuma', '{{ msg | json }}']],
  ['{"judul":"D:\\backup\\new\\toko","isi":"a"}', json, 'field_forbidden_character', ['U+0008', 'Windows']],
  ['{"judul":"a","isi":"E:\\foto"}', json, 'field_forbidden_character', ['U+000C', 'Windows']],
  ['{"judul":"a","isi":"b","url":"/a\\b"}', json, 'field_forbidden_character', ['U+0008', 'Windows']],
  [encoded('quoted-printable'), inParts, 'form_malformed', ['quoted-printable', 'Content-Transfer-Encoding']],
  [encoded('Base64'), inParts, 'form_malformed', ['base64', 'Content-Transfer-Encoding']],
  ['{"judul":"a","isi":"b","us\u0435r_id":5}', json, 'recipient_unclear', ['us<U+0435>r_id']],
  ['{"judul":"a","isi":"b","user_id\u200b":5}', json, 'recipient_unclear', ['user_id<U+200B>']],
  ['\ufeff\ufeff{"judul":"a","isi":"b"}', json, 'json_malformed', ['BOM', 'UTF-8']],
  ['{"judul":"Barang "murah" habis","isi":"b"}', json, 'json_malformed', ['\\"', '19']],
  ['{"judul":"a" b}', json, 'json_malformed', ['\\"']],
  ['{"judul\u200b":"a","isi":"b"}', json, 'field_missing', ['judul<U+200B>']],
  ['{"\ufeffjudul":"a","isi":"b"}', json, 'field_missing', ['(BOM)', '"judul"']],
  ['', json, 'body_empty', ['Content-Length']],
  [tooLong('judul', 130), json, 'field_too_long', [`${draftLimits.title}`, '130']],
  [tooLong('isi', 300), json, 'field_too_long', [`${draftLimits.body}`, '300']],
  ['payload=%7B%7D', form, 'field_missing', ['GitHub', recipe]],
  ['webhook_id=3', form, 'field_missing', ['WooCommerce', recipe]],
])('the sentences about %s as %s name cause and cure', async (body, contentType, code, words) => {
  const meaning = await meaningOf(contentType, body);
  expect(meaning).toMatchObject({ code });
  for (const sentence of 'sentences' in meaning ? meaning.sentences : [''])
    for (const word of words) expect(sentence).toContain(word);
});

test.each([
  ['judul=100%&isi=b', 'near character 10: a percent sign', 'di sekitar karakter ke-10: tanda persen'],
  ['judul=Caf%C3&isi=b', 'near character 10: a letter is cut', 'satu huruf terpotong'],
  ['judul=Caf%E9&isi=b', 'near character 10: a letter is not encoded', 'mungkin sebagai Latin-1'],
  ['judul=a&isi=%F0%9F%98', 'near character 13: a letter is cut', 'satu huruf terpotong'],
  ['judul=%E9t%E9&isi=b', 'near character 7: a letter is not encoded', 'mungkin sebagai Latin-1'],
  ['%EF%BB%BFjudul=a&isi=b', '(BOM) stands before "judul"', '(BOM) di depan "judul"'],
  ['Gaji Budi sudah ditransfer', 'the body is no form', 'bukan formulir'],
])('the sentence about the form %s says what is wrong with it', async (body, en, id) => {
  const sentences = [expect.stringContaining(id), expect.stringContaining(en)];
  expect(await meaningOf(form, body)).toMatchObject({ sentences });
});

const names: Record<string, string> = { github: 'GitHub', woocommerce: 'WooCommerce', 'uptime-kuma': 'Uptime Kuma' };

test.each(webhooks)('the sentence about the body of $source names its recipe', async ({ source, body }) => {
  const name = names[source] ?? source.replace(/^./, (letter) => letter.toUpperCase());
  const sentences = languages.map(() => expect.stringMatching(`${name}, .*${recipe}`));
  expect(await asJson(JSON.stringify(body))).toEqual({ code: 'field_missing', field: 'judul', sentences });
});

test('a body of another shape gets no recipe, and a notification beside the fields of a webhook is one', async () => {
  const others = [{}, { title: 'a', message: 'b' }, { alerts: [], receiver: 'x' }, { payload: {}, isi: 'b' }];
  for (const body of [...others, { msg: 'a' }, { repository: 'a' }, { ...github.body, judul: '', isi: 'b' }]) {
    const meaning = await asJson(JSON.stringify(body));
    expect(meaning).toMatchObject({ code: expect.stringMatching(/^field_(missing|blank)$/), field: 'judul' });
    expect(JSON.stringify(meaning)).not.toContain(recipe);
  }
  const body = { ...github.body, judul: 'a', isi: 'b', user_id: 5 };
  expect(await asJson(JSON.stringify(body))).toHaveProperty('means');
  expect(await asJson(JSON.stringify({ ...body, user_id: null }))).toMatchObject({ code: 'user_id_empty' });
});

const key = generateKey();

test.each([
  [form, 'Gaji Budi Rp 5.250.000 sudah ditransfer'],
  [form, 'Gaji Budi = Rp 5.250.000 & bonus'],
  [form, 'Rahasia'],
  [form, encodeURIComponent('Gaji Budi Rp 5.250.000')],
  [form, `${encodeURIComponent('{"judul":"Gaji"}')}=`],
  [form, 'isi=Lembur & Gaji'],
  [form, `Gaji${'Budi'.repeat(10)}=1`],
  [form, 'judul=a&isi=b&user_id=Gaji'],
  [json, '{"Gaji Budi Rp 5.250.000 sudah ditransfer":1}'],
  [json, '{"judul":"a","isi":"b","user_id":"Gaji Budi"}'],
  [json, JSON.stringify({ judul: 'a', isi: 'b', user_id: key })],
  [json, JSON.stringify({ [key]: 1 })],
  [json, JSON.stringify({ judul: 'Rahasia'.repeat(40), isi: 'b' })],
  [json, '{"judul":["Rahasia"],"isi":"b"}'],
  [json, '{"judul": "Rahasia, "isi": "b"}'],
  [json, '{"judul":"a","isi":"b","url":"https://x.test/?token=Rahasia"}'],
  [inParts, '--b\r\nContent-Disposition: form-data; name="Gaji Budi"; filename="x"\r\n\r\na\r\n--b--\r\n'],
  [inParts, '--b\r\nContent-Disposition: form-data; name="Gaji Budi"\r\n\r\na\r\n--b--\r\n'],
])('a failure holds no text of a notification, and no key: %s, %s', async (contentType, body) => {
  const meaning = await meaningOf(contentType, body);
  expect(meaning).toHaveProperty('code');
  expect(JSON.stringify(meaning)).not.toMatch(/Gaji|Budi|Rp|bonus|Rahasia/);
  expect(JSON.stringify(meaning)).not.toContain(key.slice(4, 20));
});

test('a sentence is short, however long a value or the names are, and holds no sign that cannot be shown', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`name-${index}`.repeat(20), 1]));
  const odd = ['\u0000', '\u202e', '{received}', '{field}', '[{names}]', '__proto__', '$&', '\ud800', 'null', 'number'];
  const long = { judul: 'a', isi: 'b', user_id: 'x'.repeat(60_000) };
  for (const body of [long, many, ...odd.map((name) => ({ [name]: 1 }))]) {
    const meaning = await asJson(JSON.stringify(body));
    for (const sentence of 'sentences' in meaning ? meaning.sentences : ['none'.repeat(500)]) {
      expect(sentence.length).toBeLessThan(700);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
      expect(sentence).not.toMatch(/[\u0000-\u001f\u202e]|\\ud800/);
    }
  }
});

test.each(['judul=Gaji & bonus&isi=b', 'judul=a&isi=b&amp;user_id=7', 'judul=a&isi=b&=', 'judul=a&isi=b& '])(
  'a form with a piece that is no field is refused without user_id: %s',
  async (body) => {
    expect(await meaningOf(form, body)).toMatchObject({ code: 'recipient_unclear' });
    expect(await meaningOf(form, `${body}&user_id=7`)).toHaveProperty('means');
  },
);

const isEveryone = (meaning: Meaning) => 'means' in meaning && meaning.means.recipients.to === 'everyone';
// Zero, as JSON or a form may write it: no digit but 0 before an exponent.
const zeroNumber = /^-?0+(?:\.0+)?(?:e[+-]?\d+)?$/i;

const known = ['judul', 'isi', 'user_id', 'jenis', 'url'];

test('everyone is meant by 0, or by fields that are all known', async () => {
  const name = fc.oneof(text, fc.constantFrom(...known, 'userId', 'user_id[]', '__proto__', 'x'));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, fc.constantFrom('a', '0', '5'), { maxKeys: 3 }), async (more) => {
      const pairs = Object.entries({ judul: 'a', isi: 'b', ...more });
      const ofJson = await asJson(JSON.stringify(Object.fromEntries(pairs)));
      for (const meaning of [await asForm(pairs), await asMultipart(pairs), ofJson])
        if (isEveryone(meaning))
          expect(more.user_id === '0' || pairs.every(([one]) => known.includes(one)), JSON.stringify(pairs)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test('only a missing user_id or 0 means everyone (U3, U4)', async () => {
  const fraction = fc.constantFrom('', '.0', '.5', '.00001', '.');
  const exponent = fc.constantFrom('', 'e1', 'e-400', 'E+5', 'e-3');
  const number = fc.tuple(fc.constantFrom('', '-'), fc.nat(99), fraction, exponent).map((parts) => parts.join(''));
  const quoted = text.map((one) => JSON.stringify(one));
  const written = fc.oneof(fc.json({ maxDepth: 2 }), number, quoted, fc.double().map(String));
  const inJson = fc.asyncProperty(written, async (value) => {
    const meaning = await asJson(`{"judul":"a","isi":"b","user_id":${value}}`);
    if (isEveryone(meaning)) expect(value.trim() === '"0"' || zeroNumber.test(value.trim()), value).toBe(true);
  });
  await fc.assert(inJson, { numRuns: 10_000 });
  const inForms = fc.asyncProperty(text, async (value) => {
    const pairs = Object.entries({ judul: 'a', isi: 'b', user_id: value });
    for (const meaning of [await asForm(pairs), await asMultipart(pairs)])
      if (isEveryone(meaning)) expect(value).toBe('0');
  });
  await fc.assert(inForms, { numRuns: 3000 });
});

function hashOf(changes: object) {
  const { bodyHash } = asIdempotencyClaim('satu', { ...keyDraft, ...changes });
  return bodyHash.toString('hex').slice(0, 16);
}

// The hashes are in databases: a retry after an upgrade must find that of its first request.
test('the hash of a request stays as the first release made it, and each field that came changes it', () => {
  expect(hashOf({})).toBe('6e64bf2be78a71ed');
  expect(hashOf({ recipients: { to: 'one', employeeId: 7 }, url: '/portal' })).toBe('51e0688f475f66d0');
  expect(hashOf({ picture: undefined }), 'a new field that did not come').toBe(hashOf({}));
  const changes = [{}, { title: 'x' }, { body: 'x' }, { kind: 'gaji' }, { url: '/x' }, { picture: 'x' }];
  expect(new Set(changes.map(hashOf)).size).toBe(changes.length);
});
