import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { countUnread } from '#server/inbox/unread.ts';

const once = (value: string) => ({ 'Idempotency-Key': value });

test('the same key and body give the first answer again, without sending or auditing twice', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  const first = await sendJson(key, good, once('gaji-1'));
  await company.hire();
  const second = await sendJson(key, good, once('gaji-1'));
  expect(first.json).toEqual({ ok: true, terkirim: 1 });
  expect(second.json).toEqual(first.json);
  expect([first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')]).toEqual([null, 'true']);
  expect(second.headers.get('x-ratelimit-remaining')).toBe('58');
  expect((await countUnread(employee)).count).toBe(1);
  const [row] = await sql()<{ n: number }[]>`
    select count(*)::int as n from audit_log where company_id = ${employee.companyId} and action = 'notification.send'`;
  expect(row?.n).toBe(1);
});

test('a retry as multipart form data is the same body, though its boundary differs', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  const send = () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(good)) form.append(name, value);
    return ask('', { method: 'POST', headers: { ...withKey(key), ...once('formulir') }, body: form });
  };
  expect((await send()).status).toBe(200);
  expect((await send()).headers.get('idempotent-replayed')).toBe('true');
});

test('the same key with another body gets 400', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  await sendJson(key, good, once('x'));
  for (const change of [
    { judul: 'lain' },
    { isi: 'lain' },
    { jenis: 'gaji' },
    { url: '/a' },
    { user_id: employee.employeeId },
    { user_id: 2_000_000_000 },
  ])
    expect((await sendJson(key, { ...good, ...change }, once('x'))).json.code).toBe('idempotency_key_reused');
});

test('equal requests that arrive together are sent once and get the same answer', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendJson(key, good, once('kembar'))));
  expect(answers.map(({ json }) => json)).toEqual(answers.map(() => ({ ok: true, terkirim: 1 })));
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  expect((await countUnread(employee)).count).toBe(1);
});

test('only a 200 is remembered', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  expect((await sendJson(key, { ...good, user_id: 2_000_000_000 }, once('y'))).status).toBe(404);
  expect((await sendJson(key, { ...good, judul: '' }, once('y'))).status).toBe(400);
  expect((await sendJson(key, good, once('y'))).status).toBe(200);
});

test('it is kept per key', async () => {
  const company = await makeCompany();
  await sendJson(await company.newKey(), good, once('z'));
  const other = await sendJson(await company.newKey(), { ...good, judul: 'lain' }, once('z'));
  expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([200, null]);
});

test('it is kept 24 hours', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  await sendJson(key, good, once('lama'));
  const age = (interval: string) => sql()`
    update idempotency set created_at = now() - ${interval}::interval where company_id = ${company.owner.companyId}`;
  await age('23 hours 59 minutes');
  expect((await sendJson(key, good, once('lama'))).headers.get('idempotent-replayed')).toBe('true');
  await age('24 hours 1 second');
  const again = await sendJson(key, { ...good, judul: 'lain' }, once('lama'));
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
  expect((await sendJson(key, { ...good, judul: 'lain' }, once('lama'))).headers.get('idempotent-replayed')).toBe(
    'true',
  );
});

test('an invalid or repeated header gets 400', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  for (const value of ['', 'a b', 'x'.repeat(256), 'é', 'a\tb'])
    expect((await sendJson(key, good, once(value))).json.code, value).toBe('idempotency_key_malformed');
  const headers = new Headers({ ...withKey(key), 'Content-Type': 'application/json' });
  headers.append('Idempotency-Key', 'a');
  headers.append('Idempotency-Key', 'a');
  const twice = await ask('', { method: 'POST', headers, body: JSON.stringify(good) });
  expect(twice.json.code).toBe('idempotency_key_malformed');
  expect((await sendJson(key, good, once('~'.repeat(255)))).status).toBe(200);
});
