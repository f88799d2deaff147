import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, sendJson, withKey } from '#e2e/support/http/interface.ts';

test('the key is checked before the method: DELETE gets 401 without a key, 405 with one (M5)', async () => {
  expect((await ask('', { method: 'DELETE' })).status).toBe(401);
  const company = await makeCompany();
  expect((await ask('', { method: 'DELETE', headers: withKey(await company.newKey()) })).status).toBe(405);
});

test('the key is checked before the body: a broken body without a key gets 401', async () => {
  const headers = { 'Content-Type': 'application/json' };
  expect((await ask('?aksi=nope', { method: 'POST', headers, body: '{' })).status).toBe(401);
});

test('the rate limit is checked before the method, the body and the recipient', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  for (let request = 0; request < 60; request++) await ask('?aksi=ping', { headers: withKey(key) });
  expect((await ask('', { method: 'DELETE', headers: withKey(key) })).status).toBe(429);
  expect((await sendJson(key, '{')).status).toBe(429);
});

test('fields are checked before the recipient: a wrong field with a foreign user_id gets 400', async () => {
  const company = await makeCompany();
  const { status, json } = await sendJson(await company.newKey(), { judul: '', isi: 'b', user_id: 2_000_000_000 });
  expect([status, json.field]).toEqual([400, 'judul']);
});

test('every request with a valid key counts as one of the 60; a 401 does not count (R1)', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  const remaining: (string | null)[] = [];
  const note = ({ headers }: { headers: Headers }) => remaining.push(headers.get('x-ratelimit-remaining'));
  note(await ask('?aksi=ping', { headers: withKey(key) }));
  note(await ask('?aksi=nope', { headers: withKey(key) }));
  await ask('?aksi=ping', { headers: { ...withKey(key), Authorization: `Bearer ${key}` } });
  note(await ask('', { method: 'PUT', headers: withKey(key) }));
  note(await sendJson(key, '{'));
  note(await sendJson(key, { judul: 'a', isi: 'b', user_id: 2_000_000_000 }));
  note(await ask('?aksi=ping', { method: 'HEAD', headers: withKey(key) }));
  expect(remaining).toEqual(['59', '58', '57', '56', '55', '54']);
});
