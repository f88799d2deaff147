import { expect } from 'vitest';
import { test } from '#e2e/support/data/test.ts';
import { ask, good, sendJson, withKey } from '#e2e/support/http/interface.ts';
import { listAudit } from '#server/audit/list.ts';
import { addMyself, editEmployee } from '#server/employees/employees.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { countUnread } from '#server/inbox/unread.ts';

test('a send without user_id or with 0 reaches all active people, with one that one (U0, U1)', async ({ company }) => {
  const [one, two, three] = [await company.hire('Sasaran'), await company.hire(), await company.hire()];
  await company.deactivate(three);
  const key = await company.newKey('gaji bulanan');
  for (const body of [good, { ...good, user_id: 0 }, { ...good, user_id: '0' }])
    expect((await sendJson(key, body)).json).toEqual({ ok: true, terkirim: 2 });
  const form = { method: 'POST', headers: withKey(key), body: new URLSearchParams('judul=a&isi=b&user_id=0') };
  expect((await ask('', form)).json).toEqual({ ok: true, terkirim: 2 });
  for (const user_id of [one.employeeId, String(one.employeeId)])
    expect((await sendJson(key, { ...good, user_id })).json).toEqual({ ok: true, terkirim: 1 });
  const counts = await Promise.all([one, two, three].map(async (employee) => (await countUnread(employee)).count));
  expect(counts).toEqual([6, 4, 0]);
  const sent = await sendJson(key, { ...good, judul: 'Gaji', user_id: one.employeeId });
  const [entry] = (await listAudit(company.owner)).entries;
  const requestId = sent.headers.get('x-request-id');
  expect(entry).toMatchObject({ action: 'notification.send', actorKind: 'key', actorName: 'gaji bulanan', requestId });
  const recipient = { recipientId: one.employeeId, recipientName: 'Sasaran' };
  expect(entry?.details).toMatchObject({ ...recipient, title: 'Gaji', reach: 1 });
});

test('a send without recipients gets 200 with terkirim 0 and an audit entry (U6)', async ({ company, key }) => {
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

test('jenis is stored as one of the six kinds, and any other value as info (K1, K2)', async ({ employee, key }) => {
  const known = ['info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen'];
  const texts = ['INFO', 'Gaji', '', ' gaji', '__proto__', 'constructor', 'gaji\u200b', '\0', '\ufffd', '\ud800'];
  const values: unknown[] = [5, -1, 1.5, true, false, null, [], ['gaji'], {}, { toString: 0 }];
  const others = [...texts, 'x'.repeat(10_000), ...values];
  for (const jenis of [...known, ...others]) expect((await sendJson(key, { ...good, jenis })).status).toBe(200);
  const { items } = await listInbox(employee, { limit: 50 });
  expect(items.map(({ kind }) => kind).toReversed()).toEqual([...known, ...others.map(() => 'info')]);
});

test('karyawan lists every employee, also inactive; an owner only as an employee', async ({ company, key }) => {
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
