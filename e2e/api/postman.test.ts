import { Script } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import type { PostmanCollection, PostmanItem } from '#server/api/document/postman.ts';

const response = await fetch(`${baseUrl}/api/v1/postman.json?lang=en`);
const collection = (await response.json()) as PostmanCollection;
const company = await makeCompany();
const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));

beforeAll(async () => {
  await company.hire();
  variables.set('key', await company.newKey());
});

const fill = <T>(part: T): T =>
  JSON.parse(JSON.stringify(part).replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? '')) as T;

function bodyOf(body: PostmanItem['request']['body']): BodyInit | undefined {
  if (body?.mode === 'raw') return body.raw;
  if (body?.mode === 'urlencoded') return new URLSearchParams(body.urlencoded.map(({ key, value }) => [key, value]));
  const form = new FormData();
  for (const { key, value } of body?.formdata ?? []) form.append(key, value);
  return body && form;
}

/** Sends a request of the collection as Postman does, and runs the scripts that follow it. */
async function send(item: PostmanItem): Promise<{ status: number; json: unknown }> {
  const { method, header, url, body } = fill(item.request);
  const auth = Object.fromEntries(fill(collection.auth.apikey).map(({ key, value }) => [key, value]));
  const headers = new Headers(header.map(({ key, value }) => [key, value]));
  headers.set(auth.key ?? '', auth.value ?? '');
  const answer = await fetch(url.raw, { method, headers, body: bodyOf(body) });
  const json: unknown = await answer.json();
  const collectionVariables = {
    get: (name: string) => variables.get(name),
    set: (name: string, value: string) => variables.set(name, value),
  };
  const pm = { response: { json: () => json }, collectionVariables };
  for (const { script } of item.event ?? []) new Script(script.exec.join('\n')).runInNewContext({ pm, String });
  return { status: answer.status, json };
}

test('the collection is a file to download, in format 2.1, with the address of this deployment', () => {
  expect(response.headers.get('content-disposition')).toContain('.postman_collection.json"');
  expect(collection.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  expect(collection.variable).toEqual([
    { key: 'base_url', value: baseUrl },
    { key: 'key', value: '' },
    { key: 'user_id', value: '' },
  ]);
});

test('before the list has filled in user_id, a request to one employee is refused', async () => {
  const toOne = collection.item.filter(({ request }) => JSON.stringify(request.body)?.includes('user_id'));
  expect(toOne).toHaveLength(3);
  for (const item of toOne) expect(await send(item)).toMatchObject({ status: 400, json: { code: 'user_id_empty' } });
});

test('every request of the collection is answered 200 once a key is filled in', async () => {
  const answers = [];
  for (const item of collection.item) answers.push([item.request.method, await send(item)]);
  const sent = { status: 200, json: { ok: true, terkirim: 1 } };
  expect(answers).toMatchObject([
    ['GET', { status: 200, json: { perusahaan: company.owner.companyName } }],
    ['GET', { status: 200, json: { karyawan: [{ user_id: expect.any(Number) }] } }],
    ...Array.from({ length: 4 }, () => ['POST', sent]),
  ]);
});
