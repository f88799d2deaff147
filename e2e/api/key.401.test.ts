import { expect, test } from 'vitest';
import { ask, baseUrl, good, sendJson, withKey } from '#e2e/fixtures/interface.ts';
import { makeCompany } from '#harness/company.ts';
import { generateKey, listKeys, revokeKey } from '#server/keys/keys.ts';

const company = await makeCompany();
const key = await company.newKey();
const other = await company.newKey();
const ping = (headers: HeadersInit) => ask('?aksi=ping', { headers });

test.each<[string, HeadersInit]>([
  ['Authorization: Bearer', { Authorization: `Bearer ${key}` }],
  ['the scheme in lower case', { Authorization: `bearer ${key}` }],
  ['the scheme in capitals', { Authorization: `BEARER ${key}` }],
  ['two spaces after the scheme', { Authorization: `Bearer  ${key}` }],
  ['X-API-Key', { 'X-API-Key': key }],
  ['Basic from a staging gate beside X-API-Key', { Authorization: 'Basic dXNlcjpwYXNz', 'X-API-Key': key }],
  ['a gateway token beside X-API-Key', { Authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.', 'X-API-Key': key }],
  ['a gateway token in X-API-Key beside Authorization', { Authorization: `Bearer ${key}`, 'X-API-Key': 'gw-1' }],
  ['an empty X-API-Key beside Authorization', { Authorization: `Bearer ${key}`, 'X-API-Key': '' }],
  ['an empty Authorization beside X-API-Key', { Authorization: '', 'X-API-Key': key }],
])('H2, H3, H4: a key is accepted: %s', async (_, headers) => {
  expect((await ping(headers)).status).toBe(200);
});

test.each<[string, HeadersInit, string]>([
  ['no header', {}, 'key_missing'],
  ['an empty Authorization', { Authorization: '' }, 'key_missing'],
  ['an empty X-API-Key', { 'X-API-Key': '' }, 'key_missing'],
  ['Bearer alone', { Authorization: 'Bearer' }, 'key_missing'],
  ['a tab after the scheme', { Authorization: `Bearer\t${key}` }, 'key_wrapped'],
  ['another scheme', { Authorization: `Token ${key}` }, 'key_wrapped'],
  ['Basic with the key', { Authorization: `Basic ${btoa(`${key}:`)}` }, 'key_wrapped'],
  ['Bearer inside X-API-Key', { 'X-API-Key': `Bearer ${key}` }, 'key_wrapped'],
  ['the prefix in capitals', { 'X-API-Key': key.replace('jss_', 'JSS_') }, 'key_missing'],
  ['the key in quotes', { 'X-API-Key': `"${key}"` }, 'key_wrapped'],
  ['the key without Bearer', { Authorization: key }, 'key_without_bearer'],
  ['one character too few', { 'X-API-Key': key.slice(0, -1) }, 'key_malformed'],
  ['one character too many', { 'X-API-Key': `${key}0` }, 'key_malformed'],
  ['a wrong checksum', { 'X-API-Key': key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a') }, 'key_malformed'],
  ['a character outside the alphabet', { 'X-API-Key': `${key.slice(0, 20)}-${key.slice(21)}` }, 'key_malformed'],
  ['a blank inside', { 'X-API-Key': `${key.slice(0, 20)} ${key.slice(21)}` }, 'key_malformed'],
  ['an encoded NUL behind it', { 'X-API-Key': `${key}%00` }, 'key_malformed'],
  ['latin-1 letters', { 'X-API-Key': `jss_${'é'.repeat(64)}` }, 'key_malformed'],
  ['a no-break space before it', { Authorization: `Bearer \u00a0${key}` }, 'key_wrapped'],
  ['a no-break space behind it', { 'X-API-Key': `${key}\u00a0` }, 'key_malformed'],
  ['15 KiB', { 'X-API-Key': `jss_${'a'.repeat(13_000)}` }, 'key_malformed'],
  ['a well-formed key nobody has', { 'X-API-Key': generateKey() }, 'key_rejected'],
  ['X_API_Key', { X_API_Key: key }, 'key_missing'],
  ['the key in a cookie', { Cookie: `X-API-Key=${key}; key=${key}` }, 'key_missing'],
])('H1, H3, H5, H10, H11, H13: a key is refused with 401 and WWW-Authenticate: %s', async (_, headers, code) => {
  const answer = await ping(headers);
  expect([answer.status, answer.json.code]).toEqual([401, code]);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
});

test('H6, H7: a key in both headers is 401, and the sentence says so', async () => {
  for (const second of [key, other, generateKey(), 'jss_short']) {
    const { status, json } = await ping({ Authorization: `Bearer ${key}`, 'X-API-Key': second });
    expect([status, json.code]).toEqual([401, 'key_in_both_headers']);
    expect(json.error).toContain('exactly one header');
  }
});

test('H13: a key in the query, a form field or the body is no key', async () => {
  for (const name of ['key', 'api_key', 'X-API-Key', 'Authorization', 'access_token'])
    expect((await ask(`?aksi=ping&${name}=${key}`)).json.code).toBe('key_in_query');
  expect((await ask('?aksi=ping&key=jss_short')).json.code).toBe('key_missing');
  const form = new URLSearchParams({ key, api_key: key, 'X-API-Key': key, ...good });
  expect((await ask('', { method: 'POST', body: form })).json.code).toBe('key_missing');
});

test('a revoked key is 401 from the next request on', async () => {
  const revoked = await company.newKey('akan dicabut');
  expect((await ping(withKey(revoked))).status).toBe(200);
  const summary = (await listKeys(company.owner)).find(({ name }) => name === 'akan dicabut');
  expect(await revokeKey(company.owner, summary?.id ?? 0)).toBe('revoked');
  expect((await ping(withKey(revoked))).json.code).toBe('key_rejected');
  expect((await sendJson(revoked, good)).status).toBe(401);
  expect(await revokeKey(company.owner, summary?.id ?? 0)).toBe('no-such-key');
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
