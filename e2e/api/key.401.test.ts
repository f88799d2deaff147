import { expect, test } from 'vitest';
import { expireKey } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, baseUrl, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { editKey, generateKey, listKeys, revokeKey } from '#server/keys/keys.ts';

const company = await makeCompany();
const key = await company.newKey();
const ping = (headers: HeadersInit) => ask('?aksi=ping', { headers });

// All forms of both headers: e2e/transport/input/headers.test.ts.
test('a key is accepted in either header (H2, H4)', async () => {
  const headers: HeadersInit[] = [
    { Authorization: `bearer  ${key}` },
    { 'X-API-Key': key },
    { Authorization: 'Basic dXNlcjpwYXNz', 'X-API-Key': key },
    { Authorization: `Bearer ${key}`, 'X-API-Key': 'gw-1' },
  ];
  for (const one of headers) expect((await ping(one)).status).toBe(200);
});

test.each<[string, string, HeadersInit]>([
  ['no key', 'key_missing', {}],
  ['a key without Bearer', 'key_without_bearer', { Authorization: key }],
  ['a key in a cookie', 'key_missing', { Cookie: `X-API-Key=${key}` }],
  ['a cut key', 'key_malformed', { 'X-API-Key': key.slice(0, -1) }],
  ['an unknown key', 'key_rejected', { 'X-API-Key': generateKey() }],
  ['a key in both headers', 'key_in_both_headers', { Authorization: `Bearer ${key}`, 'X-API-Key': key }],
])('%s is 401 with WWW-Authenticate and no quota', async (_, code, headers) => {
  const answer = await ping(headers);
  expect([answer.status, answer.json.code]).toEqual([401, code]);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
});

test('a revoked key gets 401 from the next request on', async () => {
  const revoked = await company.newKey('akan dicabut');
  expect((await ping(withKey(revoked))).status).toBe(200);
  const summary = (await listKeys(company.owner)).find(({ name }) => name === 'akan dicabut');
  expect(await revokeKey(company.owner, summary?.id ?? 0)).toBe('revoked');
  expect((await ping(withKey(revoked))).json.code).toBe('key_rejected');
  expect((await sendJson(revoked, good)).status).toBe(401);
  expect(await revokeKey(company.owner, summary?.id ?? 0)).toBe('no-such-key');
});

test('an expired key gets exactly the answer of a revoked one, until its owner extends it', async () => {
  const [expiring, revoked] = [await company.newKey('berakhir'), await company.newKey('dicabut')];
  const idOf = async (name: string) => (await listKeys(company.owner)).find((one) => one.name === name)?.id ?? 0;
  const long = { ...good, isi: 'y'.repeat(255), tambahan: 'x'.repeat(9000) };
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

test('an owner cannot revoke the key of another company', async () => {
  const theirs = await makeCompany();
  const theirKey = await theirs.newKey();
  const [summary] = await listKeys(theirs.owner);
  expect(await revokeKey(company.owner, summary?.id ?? 0)).toBe('no-such-key');
  expect((await ping(withKey(theirKey))).status).toBe(200);
});

test('a key opens no page, no session and no other address', async () => {
  for (const path of [
    '/owner',
    '/owner/keys',
    '/portal',
    '/portal/feed?after=0',
    '/portal/inbox',
    '/api/auth/session',
  ]) {
    const both = { Authorization: `Bearer ${key}`, 'X-API-Key': key };
    const [anonymous, keyed] = await Promise.all([
      fetch(baseUrl + path, { redirect: 'manual' }),
      fetch(baseUrl + path, { redirect: 'manual', headers: both }),
    ]);
    expect([path, keyed.status, keyed.headers.get('location')]).toEqual([
      path,
      anonymous.status,
      anonymous.headers.get('location'),
    ]);
    expect(keyed.headers.get('set-cookie') ?? '').not.toContain('session-token');
  }
});
