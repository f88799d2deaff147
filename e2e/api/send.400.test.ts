import { afterAll, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { ask, good, sendForm, sendJson, withKey } from '#e2e/fixtures/interface.ts';
import { makeCompany } from '#harness/company.ts';

const company = await makeCompany();
await company.hire();
const bytes = (...values: number[]) => new Uint8Array(values);
const join = (...parts: (string | Uint8Array)[]) =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))),
  );

afterAll(async () => {
  const [row] = await sql()<{ notifications: number; audited: number; last: number }[]>`
    select (select count(*)::int from notifications where company_id = ${company.owner.companyId}) as notifications,
      (select count(*)::int from audit_log where company_id = ${company.owner.companyId} and action = 'notification.send') as audited,
      (select last_no from companies where id = ${company.owner.companyId}) as last`;
  expect(row, 'nothing of a refused request is stored').toEqual({ notifications: 0, audited: 0, last: 0 });
});

test.each<[string, unknown, string]>([
  ['truncated', '{"judul":"a","isi":"b"', 'json_malformed'],
  ['a trailing comma', '{"judul":"a","isi":"b",}', 'json_malformed'],
  ['a comment', '{"judul":"a","isi":"b"} // x', 'json_malformed'],
  ['single quotes', "{'judul':'a','isi':'b'}", 'json_malformed'],
  ['NaN', '{"judul":"a","isi":"b","user_id":NaN}', 'json_malformed'],
  ['a raw tab in a string', '{"judul":"a\tb","isi":"b"}', 'json_malformed'],
  ['two documents', '{"judul":"a","isi":"b"}{}', 'json_malformed'],
  ['empty', '', 'body_empty'],
  ['blank', '  \n', 'body_empty'],
  ['form data labelled as JSON', 'judul=a&isi=b', 'form_labelled_as_json'],
  ['null', 'null', 'json_not_object'],
  ['an array', '[]', 'json_not_object'],
  ['an array of one', [good], 'json_not_object'],
  ['a string', '"x"', 'json_not_object'],
  ['a number', '5', 'json_not_object'],
  ['true', 'true', 'json_not_object'],
  ['100,000 levels deep', `${'['.repeat(32_000)}${']'.repeat(32_000)}`, 'json_not_object'],
  ['invalid UTF-8', join('{"judul":"', bytes(0xff), '","isi":"b"}'), 'body_not_utf8'],
  ['overlong UTF-8', join('{"judul":"', bytes(0xc0, 0xaf), '","isi":"b"}'), 'body_not_utf8'],
  ['a surrogate in UTF-8', join('{"judul":"', bytes(0xed, 0xa0, 0x80), '","isi":"b"}'), 'body_not_utf8'],
  ['UTF-16', join(bytes(0xff, 0xfe), new Uint8Array(Buffer.from('{"judul":"a"}', 'utf16le'))), 'body_utf16'],
  ['UTF-16 without its mark', new Uint8Array(Buffer.from('{"judul":"a"}', 'utf16le')), 'body_utf16'],
  ['larger than 64 KiB', { ...good, x: 'x'.repeat(65_536) }, 'body_too_large'],
  ['20 MB', 'x'.repeat(20_000_000), 'body_too_large'],
])('B1, B2, B7, B10: a JSON body is 400: %s', async (_, body, code) => {
  const { status, json } = await sendJson(await company.newKey(), body);
  expect([status, json.code]).toEqual([400, code]);
});

test('B10: a body of exactly 64 KiB is read', async () => {
  const padded = { judul: '', isi: '', x: '' };
  padded.x = 'x'.repeat(65_536 - JSON.stringify(padded).length);
  const { json } = await sendJson(await company.newKey(), padded);
  expect(json.code).toBe('field_blank');
});

test.each<[string, Record<string, string>, string, string]>([
  ['no Content-Type', { 'Content-Type': '' }, JSON.stringify(good), 'content_type_missing'],
  ['text/plain', { 'Content-Type': 'text/plain' }, JSON.stringify(good), 'content_type_unsupported'],
  ['application/xml', { 'Content-Type': 'application/xml' }, '<a/>', 'content_type_unsupported'],
  [
    'application/problem+json',
    { 'Content-Type': 'application/problem+json' },
    JSON.stringify(good),
    'content_type_unsupported',
  ],
  [
    'two media types',
    { 'Content-Type': 'application/json, text/plain' },
    JSON.stringify(good),
    'content_type_unsupported',
  ],
  [
    'another charset',
    { 'Content-Type': 'application/json; charset=iso-8859-1' },
    JSON.stringify(good),
    'charset_unsupported',
  ],
  [
    'compressed',
    { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    JSON.stringify(good),
    'content_encoding_unsupported',
  ],
  [
    'JSON labelled as a form',
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    JSON.stringify(good),
    'json_labelled_as_form',
  ],
])('B15, B16, B17, B18: a labelled body is 400: %s', async (_, labels, body, code) => {
  const headers = { ...withKey(await company.newKey()), ...labels };
  const { status, json } = await ask('', { method: 'POST', headers, body });
  expect([status, json.code]).toEqual([400, code]);
});

test.each<[string, string | Uint8Array, string, string | undefined]>([
  ['empty', '', 'field_missing', 'judul'],
  ['a field sent twice', 'judul=a&isi=b&isi=c', 'field_repeated', 'isi'],
  ['a field as an array', 'judul[]=a&isi=b', 'field_missing', 'judul'],
  ['a broken escape', 'judul=100%&isi=b', 'form_malformed', undefined],
  ['an escape that is not UTF-8', 'judul=%ff&isi=b', 'form_malformed', undefined],
  ['a raw byte that is not UTF-8', bytes(0x6a, 0x3d, 0xff), 'body_not_utf8', undefined],
  ['NUL', 'judul=a%00&isi=b', 'field_forbidden_character', 'judul'],
  ['an empty user_id', 'judul=a&isi=b&user_id=', 'user_id_empty', 'user_id'],
  ['an empty url', 'judul=a&isi=b&url=', 'url_not_internal', 'url'],
  ['user_id 05', 'judul=a&isi=b&user_id=05', 'user_id_not_integer', 'user_id'],
  ['user_id +5', 'judul=a&isi=b&user_id=%2B5', 'user_id_not_integer', 'user_id'],
  ['user_id 5.0', 'judul=a&isi=b&user_id=5.0', 'user_id_not_integer', 'user_id'],
  ['user_id 1e1', 'judul=a&isi=b&user_id=1e1', 'user_id_not_integer', 'user_id'],
  ['user_id in full-width digits', 'judul=a&isi=b&user_id=%EF%BC%95', 'user_id_not_integer', 'user_id'],
])('B19, B20, U4: a form is 400: %s', async (_, body, code, field) => {
  const { status, json } = await sendForm(await company.newKey(), body);
  expect([status, json.code, json.field]).toEqual([400, code, field]);
});

const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fine = part('judul', 'a') + part('isi', 'b');

// A part that cannot be named must never just go missing: without its user_id a message would go to everyone.
const damagedParts: [string, string][] = [
  ['no blank line after the header', '--b\r\nContent-Disposition: form-data; name="user_id"\r\n2\r\n'],
  ['a blank before the colon', '--b\r\nContent-Disposition : form-data; name="user_id"\r\n\r\n2\r\n'],
  ['header lines ended by LF only', '--b\nContent-Disposition: form-data; name="user_id"\n\n2\r\n'],
  ['no semicolon', '--b\r\nContent-Disposition: form-data name="user_id"\r\n\r\n2\r\n'],
  ['an attachment', '--b\r\nContent-Disposition: attachment; name="user_id"\r\n\r\n2\r\n'],
  ['no Content-Disposition', '--b\r\nContent-Type: text/plain\r\n\r\n2\r\n'],
  ['two Content-Dispositions', `--b\r\n${'Content-Disposition: form-data; name="user_id"\r\n'.repeat(2)}\r\n2\r\n`],
  ['an encoded name', "--b\r\nContent-Disposition: form-data; name*=utf-8''user_id\r\n\r\n2\r\n"],
  ['an empty name', '--b\r\nContent-Disposition: form-data; name=""\r\n\r\n2\r\n'],
  [
    'a base64 part',
    '--b\r\nContent-Disposition: form-data; name="user_id"\r\nContent-Transfer-Encoding: base64\r\n\r\nMg==\r\n',
  ],
];

test.each<[string, string, string | Uint8Array, string]>([
  [
    'a file part',
    'boundary=b',
    `${fine}--b\r\nContent-Disposition: form-data; name="x"; filename="x.txt"\r\n\r\nx\r\n--b--\r\n`,
    'file_not_accepted',
  ],
  [
    'a file for a field',
    'boundary=b',
    `${part('isi', 'b')}--b\r\nContent-Disposition: form-data; name="judul"; filename="x"\r\n\r\nx\r\n--b--\r\n`,
    'file_not_accepted',
  ],
  ['no boundary', '', `${fine}--b--\r\n`, 'form_malformed'],
  ['another boundary', 'boundary=c', `${fine}--b--\r\n`, 'form_malformed'],
  ['truncated', 'boundary=b', fine.slice(0, -10), 'form_malformed'],
  ['no name', 'boundary=b', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n', 'form_malformed'],
  ['empty', 'boundary=b', '', 'form_malformed'],
  ['a field sent twice', 'boundary=b', `${fine}${part('judul', 'c')}--b--\r\n`, 'field_repeated'],
  [
    'invalid UTF-8',
    'boundary=b',
    join(part('isi', 'b'), '--b\r\nContent-Disposition: form-data; name="judul"\r\n\r\n', bytes(0xff), '\r\n--b--\r\n'),
    'body_not_utf8',
  ],
  ['JSON inside', 'boundary=b', JSON.stringify(good), 'json_labelled_as_form'],
  ...damagedParts.map(([what, damaged]): [string, string, string, string] => [
    what,
    'boundary=b',
    `${fine}${damaged}--b--\r\n`,
    'form_malformed',
  ]),
  ['a user_id behind the end', 'boundary=b', `${fine}--b--\r\n${part('user_id', '2')}--b--\r\n`, 'form_malformed'],
  ['a preamble', 'boundary=b', `x\r\n${fine}--b--\r\n`, 'form_malformed'],
  [
    'another charset in a part',
    'boundary=b',
    `${fine}--b\r\nContent-Disposition: form-data; name="user_id"\r\nContent-Type: text/plain; charset=utf-16le\r\n\r\n0\r\n--b--\r\n`,
    'charset_unsupported',
  ],
])('B21, B22: a multipart form is 400: %s', async (_, parameter, body, code) => {
  const headers = { ...withKey(await company.newKey()), 'Content-Type': `multipart/form-data; ${parameter}` };
  const { status, json } = await ask('', { method: 'POST', headers, body: body as BodyInit });
  expect([status, json.code]).toEqual([400, code]);
});

const blanks = ['', ' ', '\t\n', '\u00A0', '\u200B', '\u3000', '\u200B\u200D\uFEFF', '\u00AD', '\u2800', '\u3164'];

test.each(['judul', 'isi'])(
  'F1, F3, B5, B6: %s is 400 when it is missing, blank, not a string, or holds NUL or a lone surrogate',
  async (field) => {
    const key = await company.newKey();
    const { [field]: _, ...without } = good as Record<string, string>;
    expect((await sendJson(key, without)).json).toMatchObject({ code: 'field_missing', field });
    for (const blank of blanks)
      expect((await sendJson(key, { ...good, [field]: blank })).json, JSON.stringify(blank)).toMatchObject({
        code: 'field_blank',
        field,
      });
    for (const value of [5, true, null, [], ['a'], {}])
      expect((await sendJson(key, { ...good, [field]: value })).json).toMatchObject({ code: 'field_not_text', field });
    for (const written of ['\\u0000', '\\ud800', 'a\\udc00\\ud800'])
      expect((await sendJson(key, `{"judul":"a","isi":"b","${field}":"${written}"}`)).json).toMatchObject({
        code: 'field_forbidden_character',
        field,
      });
  },
);

test('F2: over-long text is refused, never cut; the sentence gives the limit and the counted length', async () => {
  const key = await company.newKey();
  const long = await sendJson(key, { ...good, judul: '\u{1F600}'.repeat(121) });
  expect(long.json).toMatchObject({ code: 'field_too_long', field: 'judul' });
  expect(long.json.error).toMatch(/at most 120 characters; it has 121/);
  const longer = await sendJson(key, { ...good, isi: 'x'.repeat(300) });
  expect(longer.json.error).toMatch(/at most 255 characters; it has 300/);
});

test('U3: user_id is 400 for everything but an integer: nothing but a missing field or 0 may ever mean everyone', async () => {
  const key = await company.newKey();
  const values = [
    'null',
    '""',
    '"abc"',
    '1.5',
    'true',
    'false',
    '[]',
    '[0]',
    '{}',
    '"05"',
    '" 5"',
    '"5 "',
    '"0x5"',
    '"-0"',
    '"00"',
    '"+5"',
    '"1e1"',
    '1e400',
    '1e-400',
    '0.0000001',
    '-1e-330',
    '5.00000000000000000001',
  ];
  for (const value of values) {
    const { status, json } = await sendJson(key, `{"judul":"a","isi":"b","user_id":${value}}`);
    const code = value === 'null' || value === '""' ? 'user_id_empty' : 'user_id_not_integer';
    expect([value, status, json.code, json.field]).toEqual([value, 400, code, 'user_id']);
  }
});

const refusedUrls = [
  '',
  'a',
  './a',
  ' /a',
  '\t/a',
  '\u00A0/a',
  '?x',
  '#x',
  '\\a',
  'http://evil.test',
  'HTTP:/evil',
  'javascript:alert(1)',
  'data:text/html,x',
  'mailto:a@b',
  '//evil.test',
  '///evil.test',
  '/\\evil.test',
  '/a\\b',
  '/\t/evil.test',
  '/\n/evil.test',
  '/\r/evil',
  '/a\u0085b',
  '/a\u007F',
  '/.//evil.test',
  '/..//evil.test',
  '/a/..//evil.test',
  '/%2e//evil.test',
  '/%2E%2e//evil.test',
];

test('L3–L10: url must begin with one / and stay on the portal’s origin in a browser', async () => {
  const keys = [await company.newKey(), await company.newKey()];
  for (const [index, url] of refusedUrls.entries()) {
    const { status, json } = await sendJson(keys[index % 2] ?? '', { ...good, url });
    expect([url, status, json.code, json.field]).toEqual([url, 400, 'url_not_internal', 'url']);
  }
  for (const url of [5, true, [], {}, ['/a']])
    expect((await sendJson(keys[0] ?? '', { ...good, url })).json).toMatchObject({
      code: 'field_not_text',
      field: 'url',
    });
  expect((await sendJson(keys[0] ?? '', { ...good, url: `/${'a'.repeat(2048)}` })).json).toMatchObject({
    code: 'field_too_long',
    field: 'url',
  });
  expect((await sendJson(keys[0] ?? '', '{"judul":"a","isi":"b","url":"/\\ud800"}')).json).toMatchObject({
    code: 'field_forbidden_character',
    field: 'url',
  });
});

test('errors are in English, or in Indonesian when Accept-Language prefers it; the code never changes', async () => {
  const key = await company.newKey();
  const inLanguage = async (language: string) =>
    (await sendJson(key, { isi: 'b' }, { 'Accept-Language': language })).json;
  expect(await inLanguage('id-ID,id;q=0.9,en;q=0.8')).toMatchObject({
    error:
      'Kolom "judul" wajib diisi; kolom yang datang: "isi". Nama kolom memakai huruf kecil, persis seperti tertulis di sini.',
    code: 'field_missing',
  });
  for (const language of ['en', 'en;q=0.9,id;q=0.5', 'fr', '', '*', ';;;q=x'])
    expect(await inLanguage(language), language).toMatchObject({
      error:
        'The field "judul" is required; the fields that came are "isi". Names are in lower case and as written here.',
      code: 'field_missing',
    });
});
