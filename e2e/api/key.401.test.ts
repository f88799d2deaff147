import { expect, test } from 'vitest';
import { expireKey } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { github, wooCommerce } from '#e2e/support/http/webhooks.ts';
import { editKey, listKeys, revokeKey } from '#server/keys/keys.ts';

const company = await makeCompany();
const key = await company.newKey();
const ping = (headers: HeadersInit) => ask('?aksi=ping', { headers });

test.each<[string, HeadersInit]>([
  ['"X-API-Key"', { 'X-API-Key': 'sk_live_123' }],
  ['"Authorization"', { Authorization: 'Bearer {{token}}' }],
  ['"apiKey"', { apiKey: key }],
  ['"api-key"', { 'Api-Key': key }],
])('the sentence about a missing key names the header %s that held something like one', async (name, headers) => {
  const said = expect.stringContaining(`header ${name} came`);
  expect((await ping(headers)).json).toMatchObject({ code: 'key_missing', error: said });
  const { error } = (await ping({ ...headers, 'Accept-Language': 'id' })).json;
  expect(error).toContain(`Header ${name} berisi`);
  expect(error).not.toContain(key);
  expect((await ping({ Authorization: 'Basic eDp5' })).json.error).not.toContain('came with');
});

test('GitHub and WooCommerce cannot send a key: the 401 names the recipe, for them only', async () => {
  const post = (own: HeadersInit, body: object) =>
    ask('', { method: 'POST', headers: { ...own, 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const answers = [await post(github.headers, github.body), await post(wooCommerce.headers, wooCommerce.body)];
  expect([...answers, await post({}, {})].map(({ json }) => json)).toMatchObject([
    { code: 'key_missing', error: expect.stringMatching(/GitHub.*\/docs\/recipes\/webhooks/) },
    { code: 'key_missing', error: expect.stringMatching(/WooCommerce.*\/docs\/recipes\/webhooks/) },
    { code: 'key_missing', error: expect.not.stringContaining('/docs/recipes') },
  ]);
});

test('Link names the document, the documentation, and the help for a failure, which repeats no key', async () => {
  const link = '</api/v1/openapi.json>; rel="service-desc", </docs>; rel="service-doc"';
  expect((await ping(withKey(key))).headers.get('link')).toBe(link);
  const failed = await ask(`?aksi=${key}`, { headers: withKey(key) });
  expect(failed.headers.get('link')).toBe(`${link}, </docs/errors#aksi_unknown>; rel="help"`);
  expect(failed.text).not.toContain(key.slice(4, 20));
});

test('an expired key gets exactly the answer of a revoked one, until its owner extends it', async () => {
  const [expiring, revoked] = [await company.newKey('berakhir'), await company.newKey('dicabut')];
  const idOf = async (name: string) => (await listKeys(company.owner)).find((one) => one.name === name)?.id ?? 0;
  const long = { ...good, isi: 'y'.repeat(255), user_id: 0, tambahan: 'x'.repeat(9000) };
  const answersOf = async (one: string) => {
    const answers = [await ping(withKey(one)), await sendJson(one, good), await sendJson(one, long)];
    return answers.map(({ status, text, headers }) => {
      const told = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
      return { status, text, told };
    });
  };
  await editKey(company.owner, await idOf('berakhir'), { expiresOn: '2099-12-31' });
  expect((await answersOf(expiring)).map(({ status }) => status)).toEqual([200, 200, 200]);
  await expireKey(expiring);
  await revokeKey(company.owner, await idOf('dicabut'));
  const answers = await answersOf(expiring);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(answers).toEqual(await answersOf(revoked));
  expect(await editKey(company.owner, await idOf('berakhir'), { expiresOn: null })).toBe('edited');
  expect((await answersOf(expiring)).map(({ status }) => status)).toEqual([200, 200, 200]);
});
