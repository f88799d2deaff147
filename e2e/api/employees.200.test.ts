import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, withKey } from '#e2e/support/http/interface.ts';
import { addMyself, editEmployee } from '#server/employees/employees.ts';

test('karyawan lists every employee by user_id with exactly user_id, nama and peran', async () => {
  const company = await makeCompany();
  const first = await company.hire('Satu', 'Kasir');
  const second = await company.hire('Dua', 'Gudang');
  await company.deactivate(first);
  const { status, json } = await ask('?aksi=karyawan', { headers: withKey(await company.newKey()) });
  expect(status).toBe(200);
  expect(json).toEqual({
    ok: true,
    karyawan: [
      { user_id: first.employeeId, nama: 'Satu', peran: 'Kasir' },
      { user_id: second.employeeId, nama: 'Dua', peran: 'Gudang' },
    ],
  });
});

test('the list of a company without employees is empty', async () => {
  const company = await makeCompany();
  const { json } = await ask('?aksi=karyawan', { headers: withKey(await company.newKey()) });
  expect(json).toEqual({ ok: true, karyawan: [] });
});

test('the owner is not in the list unless they added themself as an employee', async () => {
  const company = await makeCompany();
  const key = await company.newKey();
  expect((await ask('?aksi=karyawan', { headers: withKey(key) })).json.karyawan).toEqual([]);
  const id = await addMyself(company.owner, 'Pemilik');
  const { json } = await ask('?aksi=karyawan', { headers: withKey(key) });
  expect(json.karyawan).toEqual([{ user_id: id, nama: 'Pemilik Uji', peran: 'Pemilik' }]);
  expect(await addMyself(company.owner, 'Pemilik')).toBe('already-employee');
});

test('a key lists its own company only, and sees a change at once', async () => {
  const [ours, theirs] = [await makeCompany(), await makeCompany()];
  const employee = await ours.hire('Punya Kita', 'Kasir');
  await theirs.hire('Punya Mereka');
  const key = await ours.newKey();
  await editEmployee(ours.owner, employee.employeeId, { name: 'Nama Baru', role: 'Kepala' });
  const { json } = await ask('?aksi=karyawan', { headers: withKey(key) });
  expect(json.karyawan).toEqual([{ user_id: employee.employeeId, nama: 'Nama Baru', peran: 'Kepala' }]);
  expect(await editEmployee(ours.owner, -1, { name: 'x', role: 'y' })).toBe('no-such-employee');
});
