import type postgres from 'postgres';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { makePlace } from '#e2e/support/data/traces.ts';
import { type Answer, ask, good, sendForm, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { listAudit } from '#server/audit/list.ts';
import { addMyself, editEmployee } from '#server/employees/employees.ts';
import { listInbox, listInboxSince } from '#server/inbox/inbox.ts';
import { countUnread } from '#server/inbox/unread.ts';

test('a send without user_id, or with 0, goes to every active employee (U0)', async () => {
  const company = await makeCompany();
  const [one, two, three] = [await company.hire(), await company.hire(), await company.hire()];
  await company.deactivate(three);
  const key = await company.newKey();
  for (const body of [good, { ...good, user_id: 0 }, { ...good, user_id: '0' }])
    expect((await sendJson(key, body)).json).toEqual({ ok: true, terkirim: 2 });
  expect((await sendForm(key, 'judul=a&isi=b&user_id=0')).json).toEqual({ ok: true, terkirim: 2 });
  expect((await countUnread(one)).count).toBe(4);
  expect((await countUnread(two)).count).toBe(4);
  expect((await countUnread(three)).count).toBe(0);
});

test('a send with the user_id of an employee goes to that employee only (U1)', async () => {
  const company = await makeCompany();
  const [one, two] = [await company.hire(), await company.hire()];
  const key = await company.newKey();
  const id = one.employeeId;
  for (const user_id of [id, String(id)])
    expect((await sendJson(key, { ...good, user_id })).json).toEqual({ ok: true, terkirim: 1 });
  expect([(await countUnread(one)).count, (await countUnread(two)).count]).toEqual([2, 0]);
});

test('a send without recipients gets 200 with terkirim 0 and an audit entry (U6)', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  expect((await sendJson(key, good)).json).toEqual({ ok: true, terkirim: 0 });
  const employee = await company.hire();
  await company.deactivate(employee);
  expect((await sendJson(key, { ...good, user_id: employee.employeeId })).json).toEqual({ ok: true, terkirim: 0 });
  expect((await sendJson(key, good)).json).toEqual({ ok: true, terkirim: 0 });
  await company.activate(employee);
  expect((await listInbox(employee)).items).toEqual([]);
  const sends = (await listAudit(company.owner)).entries.filter(({ action }) => action === 'notification.send');
  expect(sends.map(({ details }) => details.reach)).toEqual([0, 0, 0]);
});

test('a send is in the audit log with key, target, title, reach and request id', async () => {
  const company = await makeCompany();
  const employee = await company.hire('Sasaran');
  const key = await company.newKey('gaji bulanan');
  const sent = await sendJson(key, { judul: 'Gaji', isi: 'x', user_id: employee.employeeId, jenis: 'gaji' });
  const [entry] = (await listAudit(company.owner)).entries;
  expect(entry).toMatchObject({ action: 'notification.send', actorKind: 'key', actorName: 'gaji bulanan' });
  expect(entry?.details).toMatchObject({
    recipientId: employee.employeeId,
    recipientName: 'Sasaran',
    title: 'Gaji',
    reach: 1,
  });
  expect(entry?.requestId).toBe(sent.headers.get('x-request-id'));
});

test('jenis is stored as one of the six kinds, and any other value as info (K1, K2)', async () => {
  const company = await makeCompany();
  const employee = await company.hire();
  const key = await company.newKey();
  const known = ['info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen'];
  const texts = ['INFO', 'Gaji', '', ' gaji', '__proto__', 'constructor', 'gaji\u200b', '\0', '\ufffd', '\ud800'];
  const others: unknown[] = [
    ...texts,
    'x'.repeat(10_000),
    5,
    -1,
    1.5,
    true,
    false,
    null,
    [],
    ['gaji'],
    {},
    { toString: 0 },
  ];
  for (const jenis of [...known, ...others]) expect((await sendJson(key, { ...good, jenis })).status).toBe(200);
  const { items } = await listInbox(employee, { limit: 50 });
  expect(items.map(({ kind }) => kind).toReversed()).toEqual([...known, ...others.map(() => 'info')]);
});

test('unknown fields reach no column, no prototype and no other company (B4, E1)', async () => {
  const [ours, theirs] = [await makeCompany(), await makeCompany()];
  const [employee, stranger] = [await ours.hire(), await theirs.hire()];
  const key = await ours.newKey();
  const extra = `"company_id":${stranger.companyId},"companyId":${stranger.companyId},"tenant":2,"no":1,"reach":99,"read_at":"2020-01-01","terkirim":9`;
  const body = `{"judul":"a","isi":"b","user_id":0,${extra},"__proto__":{"polluted":true,"user_id":1},"constructor":{"prototype":{"polluted":true}},"toString":1}`;
  expect((await sendJson(key, body)).json).toEqual({ ok: true, terkirim: 1 });
  expect((await listInbox(employee)).items).toMatchObject([{ no: 1, title: 'a', body: 'b', url: null, read: false }]);
  expect((await listInbox(stranger)).items).toEqual([]);
  expect('polluted' in {}).toBe(false);
});

/** Sends while another transaction that ran `before` is open; `during` runs when the send waits for it. */
async function sendDuring(
  key: string,
  before: (transaction: postgres.TransactionSql) => Promise<unknown>,
  during: () => Promise<unknown>,
): Promise<Answer> {
  const other = connect(process.env.DATABASE_URL ?? '', 1);
  const sending: Promise<Answer>[] = [];
  await other.begin(async (transaction) => {
    await before(transaction);
    sending.push(sendJson(key, { ...good, judul: 'menyusul' }));
    const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const waiting = () => sql()`select from pg_stat_activity where ${row?.pid ?? 0}::int = any(pg_blocking_pids(pid))`;
    await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
    await during();
  });
  await other.end();
  return (await Promise.all(sending))[0] as Answer;
}

test('the later notification stays invisible until the earlier one commits', async () => {
  const { employee, key } = await makePlace('kunci');
  const { companyId } = employee;
  const { status } = await sendDuring(
    key,
    (transaction) => transaction`
      with company as (update companies set last_no = last_no + 1 where id = ${companyId} returning last_no)
      insert into notifications (company_id, no, title, body, kind, reach, key_id)
      select ${companyId}, last_no, 'ditahan', 'x', 'info', 1, k.id from company, api_keys k where company_id = ${companyId}`,
    async () => expect(await listInboxSince(employee, 0)).toEqual([]),
  );
  expect(status).toBe(200);
  const seen = await listInboxSince(employee, 0);
  expect(seen.map(({ no, title }) => [no, title])).toEqual([
    [1, 'ditahan'],
    [2, 'menyusul'],
  ]);
});

test('a send gets 401 and stores nothing when its key is revoked during the wait (T7)', async () => {
  const { employee, key } = await makePlace('kunci');
  const { companyId } = employee;
  const { status, json } = await sendDuring(
    key,
    (transaction) => transaction`update companies set last_no = last_no where id = ${companyId}`,
    () => sql()`update api_keys set revoked_at = now() where company_id = ${companyId}`,
  );
  expect([status, json.code]).toEqual([401, 'key_rejected']);
  expect(await listInboxSince(employee, 0)).toEqual([]);
});

test('karyawan lists every employee, also inactive ones, as they are now; an owner only as an employee', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  const list = async () => (await ask('?aksi=karyawan', { headers: withKey(key) })).json;
  expect(await list()).toEqual({ ok: true, karyawan: [] });
  const first = await company.hire('Satu', 'Kasir');
  const second = await company.hire('Dua', 'Gudang');
  await company.deactivate(first);
  await editEmployee(company.owner, second.employeeId, { name: 'Nama Baru', role: 'Kepala' });
  const own = await addMyself(company.owner, 'Pemilik');
  expect(await list()).toEqual({
    ok: true,
    karyawan: [
      { user_id: first.employeeId, nama: 'Satu', peran: 'Kasir' },
      { user_id: second.employeeId, nama: 'Nama Baru', peran: 'Kepala' },
      { user_id: own, nama: 'Pemilik Uji', peran: 'Pemilik' },
    ],
  });
});
