import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, withKey } from '#e2e/support/http/interface.ts';
import { addMyself, editEmployee } from '#server/employees/employees.ts';

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
