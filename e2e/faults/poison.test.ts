import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { baseUrl, good, sendJson } from '#e2e/support/http/interface.ts';
import { openReader } from '#e2e/support/http/open-streams.ts';

// Values that the API and pages refuse, but a row written by another program may hold.
const hostileTexts = [
  ...['', ' ', '<script>alert(1)</script>', '</title><img src=x onerror=alert(1)>', '{{7*7}} #{7*7} %s%n', 'null'],
  ...["=cmd|' /C calc'!A0", '\u202egnp.exe\u2066', '\u0001\u001b[31m\u007f\u0085', '\ufffe\uffff\u2028\ufeff'],
  ...['__proto__', 'constructor', '\r\n\r\nevent: item\ndata: {"no":1}', '𝕳'.repeat(60)],
];
const hostileUrls = [
  ...['javascript:alert(1)', 'jAvA\nscript:alert(1)', 'data:text/html,<script>alert(1)</script>', ''],
  ...['https://evil.test/', '//evil.test/', '/\\evil.test', '/\t/evil.test', '/.//evil.test', 'http://[::bad'],
  `/${'a'.repeat(2047)}`,
];
const hostileTimes = ['infinity', '-infinity', '0044-03-15 12:00:00+00 BC', '10000-01-01 00:00:00+00'];

async function poison(companyId: number, employeeId: number): Promise<void> {
  const [key] = await sql()<{ id: number }[]>`select id from api_keys where company_id = ${companyId}`;
  const keyId = key?.id ?? 0;
  for (const text of hostileTexts) {
    const short = [...text].slice(0, 60).join('');
    await sql()`insert into employees (company_id, name, role, active) values (${companyId}, ${text}, ${short}, false)`;
    await sql()`insert into api_keys (company_id, name, note, fingerprint, created_by)
      select ${companyId}, ${short}, ${text}, sha256(${randomUUID()}::text::bytea), min(id) from accounts where company_id = ${companyId}`;
    await sql()`insert into audit_log (company_id, actor_kind, actor_id, actor_name, action, details, request_id, employee_id)
      values (${companyId}, 'account', 1, ${text}, ${text}, ${JSON.stringify({ title: text, no: text, name: [text] })}::text::jsonb, ${text}, ${employeeId})`;
    await sql()`insert into refusals (company_id, at, request_id, key_id, code, field, figures, operation, address, client)
      values (${companyId}, now(), ${randomUUID()}, ${keyId}, ${text}, ${text}, ${JSON.stringify({ length: 1e300 })}::text::jsonb, ${text}, ${text}, ${text})`;
  }
  const send = (title: string, body: string, url: string | null, at: string, reach = 1) => sql()`
    with company as (update companies set last_no = last_no + 1 where id = ${companyId} returning last_no)
    insert into notifications (company_id, no, recipient_id, title, body, kind, url, reach, key_id, created_at)
    select ${companyId}, last_no, ${employeeId}, ${title}, ${body}, 'info', ${url}, ${reach}, ${keyId}, ${at}::text::timestamptz from company`;
  for (const text of hostileTexts) await send(text, text, null, 'now');
  for (const url of hostileUrls) await send('Tautan', 'Isi', url, 'now');
  for (const at of hostileTimes) await send('Waktu', 'Isi', null, at);
  await send('Besar', 'Isi', null, 'now', 2_147_483_647);
}

test('impossible rows break no list, stream, page or CSV, and none of their links works (X21)', async ({ company }) => {
  const employee = await company.hire('Karyawan Satu');
  const key = await company.newKey();
  const { companyId } = company.owner;
  const cookie = await openSessionOf(await company.giveAccount(employee));
  const ownerCookie = await openSessionOf(company.username);
  const stream = await openReader(baseUrl, cookie);
  expect((await sendJson(key, { ...good, judul: 'Sebelum' })).status).toBe(200);
  await poison(companyId, employee.employeeId);
  expect((await sendJson(key, { ...good, judul: 'Sesudah' })).status).toBe(200);
  await expect.poll(stream.text).toContain('"Sesudah"');
  stream.leave();
  expect(stream.text()).toContain('"Sebelum"');
  expect(stream.text()).not.toMatch(/"href":"(?!\/[^/\\])/);

  const read = async (path: string, as: string) => {
    const answer = await fetch(`${baseUrl}${path}`, { headers: { cookie: as }, redirect: 'manual' });
    const text = await answer.text();
    expect([path, answer.status, answer.status === 200 ? '' : text.slice(0, 300)]).toEqual([path, 200, '']);
    return text;
  };
  const seen: Record<string, unknown>[] = [];
  for (let before = ''; ; ) {
    const page = JSON.parse(await read(`/portal/inbox${before}`, cookie));
    const { items, more } = page as { items: Record<string, unknown>[]; more: boolean };
    seen.push(...items);
    if (!more) break;
    before = `?before=${items.at(-1)?.no}`;
  }
  expect(seen).toHaveLength(hostileTexts.length + hostileUrls.length + hostileTimes.length + 3);
  expect(seen.map(({ href }) => href).filter((href) => href !== null)).toEqual([`/${'a'.repeat(2047)}`]);
  for (const path of ['/portal/notifications', '/portal/feed?after=0', '/portal/settings']) await read(path, cookie);
  const [newest] = await sql()<{ no: number }[]>`select last_no as no from companies where id = ${companyId}`;
  const each = Array.from({ length: newest?.no ?? 0 }, (_, place) => `/owner/sends/${place + 1}`);
  const pages = [
    ...['/owner', '/owner/sends', '/owner/sends/csv', '/owner/audit', '/owner/audit/csv', '/owner/audit/refused'],
    ...['/owner/employees', '/owner/employees/csv', '/owner/keys', '/owner/settings'],
    ...['/owner/settings/company', '/owner/settings/access', '/owner/settings/alarms'],
    ...each,
  ];
  for (const path of pages) {
    const text = await read(path, ownerCookie);
    if (path.endsWith('/csv')) continue;
    expect(text).not.toContain('<script>alert(1)');
    expect(text).not.toContain('<img src=x');
    expect(text).not.toMatch(/href="(?:java|data|\/\/evil|\/\\)/i);
  }
  const entries = await sql()`select id from audit_log where company_id = ${companyId} order by id desc limit 15`;
  for (const { id } of entries) await read(`/owner/audit/${id}`, ownerCookie);
});
