import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { readTraces } from '#e2e/support/data/traces.ts';
import { type Examples, readDocument, readFailureExamples } from '#e2e/support/http/documented.ts';
import { type Answer, ask, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { root } from '#e2e/support/service/service.ts';
import { type Language, languages } from '#platform/language.ts';
import { generateKey } from '#server/keys/keys.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

type Content = Record<string, { examples: Examples }>;
type Parameter = { name: string; in: string; example?: string; examples?: Examples };

const { get, post } = (await readDocument()).paths['/api/v1/notif.php'] ?? {};
if (!get || !post) throw new Error('the document has no operations');
const answersOf = (operation: typeof get) =>
  (operation.responses['200'] as { content: Content }).content['application/json']?.examples ?? {};
const documented = Object.fromEntries(
  await Promise.all(languages.map(async (language) => [language, await readFailureExamples(language)])),
) as Record<Language, Record<string, unknown>>;
const company = await makeCompany('PT Contoh');
const employee = await company.hire('Karyawan Satu', 'Kasir');

const encode: Record<string, (fields: Record<string, string>) => RequestInit> = {
  'application/json': (fields) => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  }),
  'application/x-www-form-urlencoded': (fields) => ({ body: new URLSearchParams(fields) }),
};

async function send(key: string, { headers, ...init }: RequestInit): Promise<Answer> {
  return ask('', { method: 'POST', headers: { ...withKey(key), ...(headers as Record<string, string>) }, ...init });
}

const bodies = Object.entries(post.requestBody?.content ?? {}).flatMap(([type, { examples }]) =>
  Object.entries(examples as Examples).map(
    ([name, { value }]) => [type, name, value as Record<string, string>] as const,
  ),
);

test.each(bodies)('the example of a body, sent as it is, reaches nobody: %s, %s', async (type, _, value) => {
  expect(bodies).toHaveLength(2);
  const answer = await send(await company.newKey(), encode[type]?.(value) ?? {});
  expect([answer.status, answer.json]).toEqual([404, documented.en.employee_not_in_company]);
  expect((await readTraces(company, employee)).inbox).toEqual([]);
});

test('a send to an active and to an inactive employee is answered as the examples show', async () => {
  const inactive = await company.hire();
  await company.deactivate(inactive);
  const [active, key] = [await company.hire(), await company.newKey()];
  expect((await sendJson(key, { ...good, user_id: active.employeeId })).json).toEqual(answersOf(post).sent?.value);
  expect((await sendJson(key, { ...good, user_id: inactive.employeeId })).json).toEqual(answersOf(post).nobody?.value);
});

test('the examples of parameters are answered as the examples show', async () => {
  const readers = await makeCompany('PT Contoh');
  const only = await readers.hire('Karyawan Satu', 'Kasir');
  const key = await readers.newKey('n8n gaji');
  const [aksi] = get.parameters as Parameter[];
  expect(Object.keys(aksi?.examples ?? {})).toEqual(['ping', 'karyawan']);
  for (const [name, { value }] of Object.entries(aksi?.examples ?? {})) {
    const expected = JSON.stringify(answersOf(get)[name]?.value).replace('"user_id":7', `"user_id":${only.employeeId}`);
    expect((await ask(`?aksi=${value}`, { headers: withKey(key) })).json).toEqual(JSON.parse(expected));
  }
  const headers = (post.parameters as Parameter[]).map(({ name, example }) => [name, example]);
  expect(headers).toEqual([
    ['Idempotency-Key', undefined],
    ['Accept-Language', 'id'],
  ]);
});

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const posting = (headers: Record<string, string>, body: BodyInit | object) => ({
  method: 'POST',
  headers,
  body: typeof body === 'object' && body.constructor === Object ? JSON.stringify(body) : (body as BodyInit),
});
const fileAsField = new FormData();
fileAsField.append('judul', new Blob(['x']), 'x.txt');
const bytes = (text: string, encoding: 'latin1' | 'utf16le') => new Uint8Array(Buffer.from(text, encoding));

type Request = RequestInit & { search?: string; keyed?: false; times?: number; first?: RequestInit };

// For each code the request that provokes exactly its example.
const requests: Record<string, Request | ((key: string) => Request)> = {
  key_missing: { search: '?aksi=ping', keyed: false },
  key_without_bearer: (key) => ({ search: '?aksi=ping', keyed: false, headers: { Authorization: key } }),
  key_wrapped: (key) => ({ search: '?aksi=ping', keyed: false, headers: { 'X-API-Key': `Bearer ${key}` } }),
  key_in_query: (key) => ({ search: `?aksi=ping&key=${key}`, keyed: false }),
  key_malformed: (key) => ({ search: '?aksi=ping', keyed: false, headers: { 'X-API-Key': key.slice(0, 40) } }),
  key_rejected: { search: '?aksi=ping', keyed: false, headers: { 'X-API-Key': generateKey() } },
  key_in_both_headers: (key) => ({ search: '?aksi=ping', headers: { Authorization: `Bearer ${key}` } }),
  rate_limited: { search: '?aksi=ping', times: 61 },
  method_not_allowed: { method: 'DELETE' },
  aksi_missing: { search: '?action=ping' },
  aksi_repeated: { search: '?aksi=ping&aksi=ping' },
  aksi_unknown: { search: '?aksi=PING' },
  body_too_large: posting(json, 'x'.repeat(70_000)),
  body_empty: posting(json, ''),
  body_not_utf8: posting(json, bytes('{"judul": "Café", "isi": "b"}', 'latin1')),
  body_utf16: posting(json, bytes('\uFEFF{"judul": "a", "isi": "b"}', 'utf16le')),
  content_type_missing: posting({ 'Content-Type': '' }, good),
  content_type_unsupported: posting({ 'Content-Type': 'text/plain' }, good),
  charset_unsupported: posting({ 'Content-Type': 'application/json; charset=iso-8859-1' }, good),
  content_encoding_unsupported: posting({ ...json, 'Content-Encoding': 'gzip' }, good),
  json_malformed: posting(json, "{'judul': 'a', 'isi': 'b'}"),
  json_not_object: posting(json, '[]'),
  json_labelled_as_form: posting(form, good),
  form_labelled_as_json: posting(json, 'judul=a&isi=b'),
  form_malformed: posting(form, 'judul=100%&isi=b'),
  file_not_accepted: { method: 'POST', body: fileAsField },
  field_repeated: posting(form, 'judul=a&judul=b&isi=c'),
  field_missing: posting(json, { title: 'a', message: 'b' }),
  field_blank: posting(json, { ...good, judul: '' }),
  field_not_text: posting(json, { ...good, judul: 5 }),
  field_too_long: posting(json, { ...good, judul: 'x'.repeat(draftLimits.title + 14) }),
  field_forbidden_character: posting(json, { ...good, judul: 'a\0' }),
  user_id_empty: posting(json, { ...good, user_id: null }),
  user_id_not_integer: posting(json, { ...good, user_id: 'Karyawan Satu' }),
  user_id_misspelt: posting(json, { ...good, userId: 7 }),
  url_not_internal: posting(json, { ...good, url: 'https://example.com' }),
  idempotency_key_malformed: posting({ ...json, 'Idempotency-Key': 'gaji november' }, good),
  idempotency_key_reused: {
    ...posting({ ...json, 'Idempotency-Key': 'x' }, good),
    first: posting({ ...json, 'Idempotency-Key': 'x' }, { ...good, judul: 'Lain' }),
  },
  employee_not_in_company: posting(json, { ...good, user_id: 2_147_483_647 }),
};

// Codes that need a bare socket or a broken database, and the test that shows their example.
const elsewhere: Record<string, string> = {
  request_malformed: 'e2e/transport/transport.test.ts',
  body_incomplete: 'e2e/transport/transport.test.ts',
  internal_error: 'e2e/api/defect.500.test.ts',
  unavailable: 'e2e/machines/health.test.ts',
  unavailable_uncertain: 'e2e/faults/kill.test.ts',
};

async function provoke(code: string, language: Language): Promise<Answer> {
  const key = await company.newKey();
  const found = requests[code] ?? {};
  const { search = '', keyed = true, times = 1, first, ...init } = typeof found === 'function' ? found(key) : found;
  const asked = (request: RequestInit) =>
    ask(search, {
      ...request,
      headers: {
        ...(keyed ? withKey(key) : {}),
        ...(request.headers as Record<string, string>),
        'Accept-Language': language,
      },
    });
  if (first) await asked(first);
  for (let before = 1; before < times; before++) await asked(init);
  return asked(init);
}

test('every code in the document has a request that provokes it', () => {
  expect([...Object.keys(requests), ...Object.keys(elsewhere)].sort()).toEqual(Object.keys(documented.en).sort());
  for (const [code, file] of Object.entries(elsewhere)) expect(existsSync(join(root, file)), code).toBe(true);
});

test.each(Object.keys(requests))('the example of %s is its answer, in every language', async (code) => {
  for (const language of languages) expect((await provoke(code, language)).json).toEqual(documented[language][code]);
});
