import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { test } from '#e2e/support/data/test.ts';
import { type Answer, ask, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { fingerprintOf, listKeys, revokeKey } from '#server/keys/keys.ts';

const ping = (key: string) => ask('?aksi=ping', { headers: withKey(key) });
const remaining = ({ status, headers }: Answer) => [status, headers.get('x-ratelimit-remaining')];

test('each request of a key at its limit is 429, as headers say (R1, R4, R6)', async ({ company, employee, key }) => {
  const policy = '"minute";q=60;w=60';
  for (let left = 59; left >= 0; left--) {
    const answer = await ping(key);
    expect([...remaining(answer), answer.headers.get('ratelimit-policy')]).toEqual([200, String(left), policy]);
    const [, rest, seconds] = /^"minute";r=(\d+);t=(\d+)$/.exec(answer.headers.get('ratelimit') ?? '') ?? [];
    expect(Number(rest)).toBe(left);
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
  }
  const deleted = await ask('', { method: 'DELETE', headers: withKey(key) });
  for (const over of [await ping(key), deleted, await sendJson(key, good), await sendJson(key, '{')]) {
    expect([...remaining(over), over.json.code]).toEqual([429, '0', 'rate_limited']);
    expect(over.headers.get('retry-after')).toBe('60');
  }
  expect((await listInbox(employee)).items).toEqual([]);
  const [summary] = await listKeys(company.owner);
  expect(remaining(await ping(await company.newKey()))).toEqual([200, '59']);
  await revokeKey(company.owner, summary?.id ?? 0);
  const { json, headers } = await ping(key);
  expect(json.code).toBe('key_rejected');
  expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([policy, null]);
});

test('every request with a valid key counts as one of the 60; a 401 does not count (R1)', async ({ key }) => {
  const answers = [await ping(key), await ask('?aksi=nope', { headers: withKey(key) })];
  await ask('?aksi=ping', { headers: { ...withKey(key), Authorization: `Bearer ${key}` } });
  answers.push(await ask('', { method: 'PUT', headers: withKey(key) }));
  answers.push(await sendJson(key, '{'), await sendJson(key, { ...good, user_id: 2_000_000_000 }));
  answers.push(await ask('?aksi=ping', { method: 'HEAD', headers: withKey(key) }));
  const counted = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
  expect(counted).toEqual([59, 58, 57, 56, 55, 54]);
});

test('a window ends 60 seconds after its first request (R3, R5)', async ({ key }) => {
  const setWindowAge = (seconds: number) => sql()`
    update key_usage set used = 61, window_started_at = now() - ${seconds} * interval '1 second'
    where key_id = (select id from api_keys where fingerprint = ${fingerprintOf(key)})`;
  await ping(key);
  await setWindowAge(55);
  expect((await ping(key)).status).toBe(429);
  await setWindowAge(60);
  expect(remaining(await ping(key))).toEqual([200, '59']);
});
