import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { readTraces } from '#e2e/support/data/traces.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import type { makePostmanCollection } from '#server/api/document/postman.ts';
import type { Employee } from '#server/principals.ts';

type PostmanCollection = ReturnType<typeof makePostmanCollection>;
type PostmanItem = Extract<PostmanCollection['item'][number], { request: object }>;

const response = await fetch(`${baseUrl}/api/v1/postman.json?lang=en`);
const collection = (await response.json()) as PostmanCollection;
const company = await makeCompany();
const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));

const fill = <T>(part: T): T =>
  JSON.parse(JSON.stringify(part).replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? '')) as T;

const bodyOf = (body: PostmanItem['request']['body']) =>
  body?.mode === 'urlencoded' ? new URLSearchParams(body.urlencoded.map(({ key, value }) => [key, value])) : body?.raw;

/** Sends a request of the collection as Postman does. Returns the status and its failed tests. */
async function send(item: PostmanItem): Promise<{ status: number; failed: string[] }> {
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
  const response = { code: answer.status, json: () => JSON.parse(text) };
  // Without `variables`: Bruno does not show a script those of a collection.
  const pm = {
    response,
    test: runTest,
    expect: (value: unknown) => ({ to: { equal: (wanted: unknown) => expect(value).toBe(wanted) } }),
  };
  for (const { script } of item.event) new Script(script.exec.join('\n')).runInNewContext({ pm });
  return { status: answer.status, failed };
}

const requests = collection.item.flatMap((item) => ('item' in item ? item.item : [item]));
const runAll = async () => {
  const answers = [];
  for (const item of requests) answers.push(await send(item));
  return answers.map(({ status, failed }) => [status, failed.length]);
};
const inboxOf = async (employee: Employee) => (await readTraces(company, employee)).inbox.length;

test('the collection is a file to download, in format 2.1, with the address of this deployment', () => {
  expect(response.headers.get('content-disposition')).toContain('.postman_collection.json"');
  expect(collection.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  expect([...variables]).toEqual([
    ['base_url', baseUrl],
    ['key', ''],
    ['user_id', ''],
    ['everyone', ''],
  ]);
  const sends = requests.flatMap(({ request }) => (request.body ? [request.header] : []));
  expect(sends).toHaveLength(3);
  for (const headers of sends)
    expect(headers.find(({ key }) => key === 'Idempotency-Key')).toMatchObject({ disabled: true });
});

test('a run of the whole collection with a key reaches nobody, and all its tests pass', async () => {
  const employee = await company.hire();
  variables.set('key', await company.newKey());
  expect(await runAll()).toEqual([
    [200, 0],
    [200, 0],
    [400, 0],
    [400, 0],
    [400, 0],
  ]);
  expect(await inboxOf(employee)).toBe(0);
});

test('with a wrong key every test fails', async () => {
  variables.set('key', 'jss_wrong');
  expect(await runAll()).toEqual(requests.map(() => [401, 1]));
});

test('user_id says who gets a send; only the folder sends to everyone, once its variable is 0', async () => {
  const [one, other] = [await company.hire(), await company.hire()];
  variables.set('key', await company.newKey()).set('user_id', String(one.employeeId));
  expect(await runAll()).toEqual([
    [200, 0],
    [200, 0],
    [200, 0],
    [200, 0],
    [400, 0],
  ]);
  expect([await inboxOf(one), await inboxOf(other)]).toEqual([2, 0]);
  variables.set('everyone', '0');
  const folder = collection.item.at(-1);
  for (const item of folder && 'item' in folder ? folder.item : [])
    expect(await send(item)).toEqual({ status: 200, failed: [] });
  expect([await inboxOf(one), await inboxOf(other)]).toEqual([3, 1]);
});
