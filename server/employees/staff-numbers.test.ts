import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { makeCompany } from '#e2e/support/data/company.ts';
import { listAudit } from '#server/audit/list.ts';
import { listEmployees, listRoles } from '#server/employees/employee-list.ts';
import { addEmployee, editEmployee, listEmployeesForKey, setEmployeeRoles } from '#server/employees/employees.ts';
import { remindToOpen } from '#server/employees/invitations.ts';
import { findLink } from '#server/employees/personal-links.ts';

test('a staff number is unique in its company, can be searched, changed and removed', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const { owner } = company;
  const person = { name: 'Uji Satu', role: 'Kasir' };
  const id = await addEmployee(owner, { ...person, staffNumber: 'G-017' });
  if (typeof id === 'string') throw new Error(id);
  expect(await addEmployee(owner, { ...person, name: 'Uji Dua', staffNumber: 'G-017' })).toBe('staff-number-taken');
  expect(await addEmployee(other.owner, { ...person, staffNumber: 'G-017' })).toBeTypeOf('number');
  expect(await listEmployees(owner, { search: 'g-01' })).toMatchObject([{ id, staffNumber: 'G-017' }]);
  const second = await addEmployee(owner, { ...person, name: 'Uji Dua', staffNumber: 'G-018' });
  if (typeof second === 'string') throw new Error(second);
  expect(await editEmployee(owner, second, { ...person, staffNumber: 'G-017' })).toBe('staff-number-taken');
  expect(await editEmployee(other.owner, second, { ...person, staffNumber: 'X' })).toBe('no-such-employee');
  expect(await editEmployee(owner, second, { name: 'Uji Dua', role: 'Gudang' })).toBe('edited');
  expect(await listEmployees(owner, { search: 'G-018' })).toMatchObject([{ name: 'Uji Dua', role: 'Gudang' }]);
  expect(await editEmployee(owner, second, { name: 'Uji Dua', role: 'Gudang', staffNumber: null })).toBe('edited');
  expect(await listEmployees(owner, { search: 'G-018' })).toEqual([]);
  const [entry] = (await listAudit(owner)).entries;
  expect(entry?.details).toMatchObject({ staffNumber: null, was: { staffNumber: 'G-018' } });
});

test('an API key never sees a staff number', async () => {
  const company = await makeCompany();
  await addEmployee(company.owner, { name: 'Uji Satu', role: 'Kasir', staffNumber: 'G-017' });
  const listed = await listEmployeesForKey(await principalOf(await company.newKey()));
  expect(listed.map((one) => Object.keys(one))).toEqual([['id', 'name', 'role']]);
  expect(JSON.stringify(listed)).not.toContain('G-017');
});

test('a change of role of several people is one audit entry each, and spares other companies', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const people = [
    await company.hire('A', 'Kasir'),
    await company.hire('B', 'Gudang'),
    await company.hire('C', 'Sopir'),
  ];
  const theirs = await other.hire('D', 'Kasir');
  const ids = [...people, theirs].map(({ employeeId }) => employeeId);
  expect(await setEmployeeRoles(company.owner, ids, 'Gudang')).toBe(2);
  expect(await listRoles(company.owner)).toEqual(['Gudang']);
  expect(await listRoles(other.owner)).toEqual(['Kasir']);
  const edits = (await listAudit(company.owner)).entries.filter(({ action }) => action === 'employee.edit');
  expect(edits.map(({ details }) => (details as { was: object }).was)).toEqual([
    { name: 'C', role: 'Sopir' },
    { name: 'A', role: 'Kasir' },
  ]);
  await expect(setEmployeeRoles(company.owner, Array(201).fill(1), 'x')).rejects.toThrow('at most 200');
});

test('a reminder goes to those who never opened the portal, with a link only without an account', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const invited = await company.hire('Belum Punya Akun');
  const old = await company.invite(invited);
  const silent = await company.hire('Punya Akun');
  const username = await company.giveAccount(silent);
  const seen = await company.hire('Sudah Membuka');
  const away = await company.hire('Nonaktif');
  await company.deactivate(away);
  await sql()`insert into portals (company_id, employee_id, browser_id, seen_at)
    values (${company.owner.companyId}, ${seen.employeeId}, gen_random_uuid(), now())`;
  const theirs = await other.hire('Orang Lain');
  const ids = [invited, silent, seen, away, theirs].map(({ employeeId }) => employeeId);
  const reminders = await remindToOpen(company.owner, ids);
  expect(reminders).toEqual([
    { employeeId: invited.employeeId, name: 'Belum Punya Akun', username: null, token: expect.any(String) },
    { employeeId: silent.employeeId, name: 'Punya Akun', username, token: null },
  ]);
  expect(await findLink(reminders[0]?.token ?? '')).toMatchObject({ name: 'Belum Punya Akun' });
  expect(await findLink(old)).toBeNull();
  const actions = (await listAudit(company.owner)).entries.slice(0, 3).map(({ action }) => action);
  expect(actions).toEqual(['employee.remind', 'employee.remind', 'invitation.create']);
});
