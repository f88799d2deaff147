import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { test } from '#e2e/support/data/test.ts';
import { ask, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { countUnread } from '#server/inbox/unread.ts';

const once = (value: string) => ({ 'Idempotency-Key': value });

test('equal requests, also at once, get one answer; another body is 400', async ({ company, employee, key }) => {
  const send = (changes = {}) => sendJson(key, { ...good, ...changes }, once('gaji-1'));
  const answers = await Promise.all(Array.from({ length: 20 }, () => send()));
  await company.hire();
  const again = await send();
  answers.push(again);
  expect(answers.map(({ json }) => json)).toEqual(answers.map(() => ({ ok: true, terkirim: 1 })));
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('x-ratelimit-remaining')).toBe('39');
  const { employeeId, companyId } = employee;
  const texts = [{ judul: 'lain' }, { isi: 'lain' }, { jenis: 'gaji' }, { url: '/a' }];
  for (const change of [...texts, { user_id: employeeId }, { user_id: 2_000_000_000 }])
    expect((await send(change)).json.code).toBe('idempotency_key_reused');
  expect((await countUnread(employee)).count).toBe(1);
  const audited = await sql()`select from audit_log where company_id = ${companyId} and action = 'notification.send'`;
  expect(audited).toHaveLength(1);
});

test('a retry as multipart form data is the same body, though its boundary differs', async ({ key }) => {
  const send = () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(good)) form.append(name, value);
    return ask('', { method: 'POST', headers: { ...withKey(key), ...once('formulir') }, body: form });
  };
  expect((await send()).status).toBe(200);
  expect((await send()).headers.get('idempotent-replayed')).toBe('true');
});

test('only a 200 is remembered, for its key alone, and for 24 hours', async ({ company }) => {
  const [key = '', otherKey = ''] = await company.newKeys(2);
  const send = async (changes = {}, by = key) => {
    const { status, headers } = await sendJson(by, { ...good, ...changes }, once('lama'));
    return [status, headers.get('idempotent-replayed')];
  };
  const age = (interval: string) => sql()`
    update idempotency set created_at = now() - ${interval}::interval where company_id = ${company.owner.companyId}`;
  expect(await send({ user_id: 2_000_000_000 })).toEqual([404, null]);
  expect(await send({ judul: '' })).toEqual([400, null]);
  expect(await send()).toEqual([200, null]);
  expect(await send({ judul: 'lain' }, otherKey)).toEqual([200, null]);
  await age('23 hours 59 minutes');
  expect(await send()).toEqual([200, 'true']);
  await age('24 hours 1 second');
  expect(await send({ judul: 'lain' })).toEqual([200, null]);
  expect(await send({ judul: 'lain' })).toEqual([200, 'true']);
});

test('an invalid or repeated header gets 400', async ({ key }) => {
  for (const value of ['', 'a b', 'x'.repeat(256), 'é', 'a\tb'])
    expect((await sendJson(key, good, once(value))).json.code, value).toBe('idempotency_key_malformed');
  const headers = new Headers({ ...withKey(key), 'Content-Type': 'application/json' });
  headers.append('Idempotency-Key', 'a');
  headers.append('Idempotency-Key', 'a');
  const twice = await ask('', { method: 'POST', headers, body: JSON.stringify(good) });
  expect(twice.json.code).toBe('idempotency_key_malformed');
  expect((await sendJson(key, good, once('~'.repeat(255)))).status).toBe(200);
});
