import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { readTraces } from '#e2e/support/data/traces.ts';
import { type Examples, readDocument, readFailureExamples } from '#e2e/support/http/documented.ts';
import { type Answer, ask, baseUrl, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { root } from '#e2e/support/service/service.ts';
import { type Language, languages } from '#platform/language.ts';
import { makeOpenApi30Document, makeOpenApiDocument } from '#server/api/document/openapi.ts';
import type { makePostmanCollection } from '#server/api/document/postman.ts';
import { generateKey } from '#server/keys/keys.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';
import type { Employee } from '#server/principals.ts';

test.each([
  ['openapi.json', makeOpenApiDocument],
  ['openapi-3.0.json', makeOpenApi30Document],
] as const)('%s is the document of this address, in both languages, compressed where allowed', async (name, make) => {
  const read = async (search: string, language = '', method = 'GET', encoding = 'gzip') => {
    const init = { method, headers: { 'Accept-Language': language, 'Accept-Encoding': encoding } };
    const answer = await fetch(`${baseUrl}/api/v1/${name}${search}`, init);
    const { headers } = answer;
    if (method === 'GET') expect(headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
    expect(headers.get('vary')?.toLowerCase()).toContain('accept-language');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    return { language: headers.get('content-language'), text: await answer.text() };
  };
  const [en, id] = [JSON.stringify(make(baseUrl)), JSON.stringify(make(baseUrl, 'id'))];
  expect(await read('')).toEqual({ language: 'en', text: en });
  expect(await read('?lang=en', 'id', 'GET', 'identity')).toEqual({ language: 'en', text: en });
  expect(await read('?lang=xx', 'fr')).toEqual({ language: 'en', text: en });
  expect(await read('?lang=id', 'en')).toEqual({ language: 'id', text: id });
  expect(await read('', 'id-ID,id;q=0.9,en;q=0.8')).toEqual({ language: 'id', text: id });
  expect(await read('?lang=id', 'en', 'HEAD')).toEqual({ language: 'id', text: '' });
});

test.each(['openapi.json', 'openapi-3.0.json'])('redocly lint finds no error and no warning in %s', async (name) => {
  const document = await fetch(`${baseUrl}/api/v1/${name}`);
  // Against the address of a deployment: the strict rules forbid an example host and localhost.
  const source = (await document.text()).replaceAll(baseUrl, 'https://notif.perusahaan.test');
  const config = await createConfig({ extends: ['recommended-strict'] });
  expect(await lintFromString({ source, config })).toEqual([]);
});

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

const bodies = Object.entries(post.requestBody?.content ?? {}).flatMap(([type, { examples }]) =>
  Object.entries(examples as Examples).map(
    ([name, { value }]) => [type, name, value as Record<string, string>] as const,
  ),
);

test.each(bodies)('the example of a body, sent as it is, reaches nobody: %s, %s', async (type, _, value) => {
  expect(bodies).toHaveLength(2);
  const headers = { ...withKey(await company.newKey()), 'Content-Type': type };
  const body = type === 'application/json' ? JSON.stringify(value) : new URLSearchParams(value);
  const answer = await ask('', { method: 'POST', headers, body });
  expect([answer.status, answer.json]).toEqual([404, documented.en.employee_not_in_company]);
  expect((await readTraces(company, employee)).inbox).toEqual([]);
});

test('the examples of parameters and of a 200 are the answers to such requests', async () => {
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
  expect(Object.fromEntries(headers)).toStrictEqual({ 'Idempotency-Key': undefined, 'Accept-Language': 'id' });
  const send = async () => (await sendJson(key, { ...good, user_id: only.employeeId })).json;
  expect(await send()).toEqual(answersOf(post).sent?.value);
  await readers.deactivate(only);
  expect(await send()).toEqual(answersOf(post).nobody?.value);
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
  recipient_unclear: posting(json, { ...good, userId: 7 }),
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
  unavailable: 'e2e/faults/database.test.ts',
  unavailable_uncertain: 'e2e/faults/kill.test.ts',
};

async function provoke(code: string, language: Language): Promise<Answer> {
  const key = await company.newKey();
  const found = requests[code] ?? {};
  const { search = '', keyed = true, times = 1, first, ...init } = typeof found === 'function' ? found(key) : found;
  const own = { ...(keyed ? withKey(key) : {}), 'Accept-Language': language };
  const asked = (request: RequestInit) =>
    ask(search, { ...request, headers: { ...own, ...(request.headers as Record<string, string>) } });
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

type PostmanCollection = ReturnType<typeof makePostmanCollection>;
type PostmanItem = Extract<PostmanCollection['item'][number], { request: object }>;

const response = await fetch(`${baseUrl}/api/v1/postman.json?lang=en`);
const collection = (await response.json()) as PostmanCollection;
const buyers = await makeCompany();
const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));

const fill = <T>(part: T): T =>
  JSON.parse(JSON.stringify(part).replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? '')) as T;

const bodyOf = (body: PostmanItem['request']['body']) =>
  body?.mode === 'urlencoded' ? new URLSearchParams(body.urlencoded.map(({ key, value }) => [key, value])) : body?.raw;

/** Sends a request of the collection as Postman does. Returns the status and its failed tests. */
async function sendItem(item: PostmanItem): Promise<{ status: number; failed: string[] }> {
  const { method, header, url, body } = fill(item.request);
  const auth = Object.fromEntries(fill(collection.auth.apikey).map(({ key, value }) => [key, value]));
  const headers = new Headers(header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value]));
  headers.set(auth.key ?? '', auth.value ?? '');
  const answer = await fetch(url.raw, { method, headers, body: bodyOf(body) });
  const text = await answer.text();
  const failed: string[] = [];
  const runTest = (name: string, check: () => void) => {
    try {
      check();
    } catch {
      failed.push(name);
    }
  };
  // Without `variables`: Bruno does not show a script those of a collection.
  const pm = {
    response: { code: answer.status, json: () => JSON.parse(text) },
    test: runTest,
    expect: (value: unknown) => ({ to: { equal: (wanted: unknown) => expect(value).toBe(wanted) } }),
  };
  for (const { script } of item.event) new Script(script.exec.join('\n')).runInNewContext({ pm });
  return { status: answer.status, failed };
}

const items = collection.item.flatMap((item) => ('item' in item ? item.item : [item]));
const runAll = async () => {
  const answers = [];
  for (const item of items) answers.push(await sendItem(item));
  return answers.map(({ status, failed }) => [status, failed.length]);
};
const inboxOf = async (employee: Employee) => (await readTraces(buyers, employee)).inbox.length;

test('the collection is a file to download, in format 2.1, with the address of this deployment', () => {
  expect(response.headers.get('content-disposition')).toContain('.postman_collection.json"');
  expect(collection.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  expect(Object.fromEntries(variables)).toEqual({ base_url: baseUrl, key: '', user_id: '', everyone: '' });
  const sends = items.flatMap(({ request }) => (request.body ? [request.header] : []));
  expect(sends).toHaveLength(3);
  for (const headers of sends)
    expect(headers.find(({ key }) => key === 'Idempotency-Key')).toMatchObject({ disabled: true });
});

test('a run of the collection reaches nobody without a user_id; only its folder sends to everyone, by a 0', async () => {
  variables.set('key', 'jss_wrong');
  expect(await runAll()).toEqual(items.map(() => [401, 1]));
  const [one, other] = [await buyers.hire(), await buyers.hire()];
  variables.set('key', await buyers.newKey());
  expect(await runAll()).toEqual([200, 200, 400, 400, 400].map((status) => [status, 0]));
  expect([await inboxOf(one), await inboxOf(other)]).toEqual([0, 0]);
  variables.set('user_id', String(one.employeeId));
  expect(await runAll()).toEqual([200, 200, 200, 200, 400].map((status) => [status, 0]));
  expect([await inboxOf(one), await inboxOf(other)]).toEqual([2, 0]);
  variables.set('everyone', '0');
  const folder = collection.item.at(-1);
  for (const item of folder && 'item' in folder ? folder.item : [])
    expect(await sendItem(item)).toEqual({ status: 200, failed: [] });
  expect([await inboxOf(one), await inboxOf(other)]).toEqual([3, 1]);
});
