import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, withKey } from '#e2e/support/http/interface.ts';

test('ping answers exactly ok, the name of the key and the name of its company', async () => {
  const company = await makeCompany();
  const key = await company.newKey('n8n gaji');
  const { status, json } = await ask('?aksi=ping', { headers: withKey(key) });
  expect(status).toBe(200);
  expect(json).toEqual({ ok: true, key: 'n8n gaji', perusahaan: company.owner.companyName });
});

test('HEAD is answered as GET, without a body (M3)', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  const { status, text } = await ask('?aksi=ping', { method: 'HEAD', headers: withKey(key) });
  expect(status).toBe(200);
  expect(text).toBe('');
  expect((await ask('?aksi=nope', { method: 'HEAD', headers: withKey(key) })).status).toBe(400);
});
