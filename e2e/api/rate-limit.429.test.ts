import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { fingerprintOf, listKeys, revokeKey } from '#server/keys/keys.ts';

test('Remaining counts down to 0; the 61st request gets 429 with Retry-After: 60 (R1)', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  for (let left = 59; left >= 0; left--) {
    const { status, headers } = await ask('?aksi=ping', { headers: withKey(key) });
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, String(left)]);
  }
  const over = await ask('?aksi=ping', { headers: withKey(key) });
  expect([over.status, over.json.code]).toEqual([429, 'rate_limited']);
  expect(over.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(over.headers.get('retry-after')).toBe('60');
});

test('of 200 parallel requests with one key exactly 60 are admitted (R2, T5)', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask('?aksi=ping', { headers: withKey(key) })));
  const others = answers
    .filter(({ status }) => status !== 200 && status !== 429)
    .map(({ status, text }) => [status, text]);
  expect(others).toEqual([]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  const left = answers
    .filter(({ status }) => status === 200)
    .map(({ headers }) => headers.get('x-ratelimit-remaining'));
  expect(new Set(left).size).toBe(60);
});

test("a key's requests do not count for another key of the company (R4)", async () => {
  const company = await makeCompany();
  const [spent, fresh] = [await company.newKey(), await company.newKey()];
  for (let request = 0; request < 61; request++) await ask('?aksi=ping', { headers: withKey(spent) });
  const { status, headers } = await ask('?aksi=ping', { headers: withKey(fresh) });
  expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '59']);
});

test('a window ends 60 seconds after its first request (R3, R5)', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  const setWindowAge = (seconds: number) => sql()`
    update key_usage set used = 61, window_started_at = now() - ${seconds} * interval '1 second'
    where key_id = (select id from api_keys where fingerprint = ${fingerprintOf(key)})`;
  await ask('?aksi=ping', { headers: withKey(key) });
  await setWindowAge(55);
  expect((await ask('?aksi=ping', { headers: withKey(key) })).status).toBe(429);
  await setWindowAge(60);
  const { status, headers } = await ask('?aksi=ping', { headers: withKey(key) });
  expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '59']);
});

test('a rate-limited request sends nothing', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  for (let request = 0; request < 60; request++) await ask('?aksi=ping', { headers: withKey(key) });
  expect((await sendJson(key, { judul: 'a', isi: 'b', user_id: employee.employeeId })).status).toBe(429);
  const [row] = await sql()<{ n: number }[]>`
    select count(*)::int as n from notifications where company_id = ${employee.companyId}`;
  expect(row?.n).toBe(0);
});

test('a revoked key over its limit gets 401, not 429 (R6)', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  for (let request = 0; request < 61; request++) await ask('?aksi=ping', { headers: withKey(key) });
  expect((await ask('?aksi=ping', { headers: withKey(key) })).status).toBe(429);
  const [summary] = await listKeys(company.owner);
  await revokeKey(company.owner, summary?.id ?? 0);
  const { status, json } = await ask('?aksi=ping', { headers: withKey(key) });
  expect([status, json.code]).toEqual([401, 'key_rejected']);
});
