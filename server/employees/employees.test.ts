import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql } from '#db/client.ts';
import { principalOf } from '#e2e/support/data/calls.ts';
import { actionsOf, must, password } from '#e2e/support/data/company.ts';
import { authenticate } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { openSession } from '#server/accounts/sessions/sessions.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { listAudit } from '#server/audit/list.ts';
import { findEmployee, listEmployees, listRoles } from '#server/employees/employee-list.ts';
import {
  addEmployee,
  addMyself,
  editEmployee,
  listEmployeesForKey,
  setEmployeeRoles,
  setEmployeesActive,
  signOutEmployee,
} from '#server/employees/employees.ts';
import { remindToOpen } from '#server/employees/invitations.ts';
import { findLink } from '#server/employees/personal-links.ts';
import type { Employee } from '#server/principals.ts';

test('signing out an employee, but no owner, ends all sessions and devices', async ({ company, other }) => {
  const employee = await company.hire('Uji');
  const username = await company.giveAccount(employee);
  const account = await authenticate(username);
  const sessionId = await openSession(account, { address: '192.0.2.1', client: 'satu' });
  await openSession(account, { address: '192.0.2.1', client: 'dua' });
  const { companyId, employeeId } = employee;
  await sql()`insert into push_subscriptions (company_id, employee_id, endpoint_hash, endpoint, p256dh, auth, session_id)
    values (${companyId}, ${employeeId}, sha256(convert_to(${randomUUID()}, 'UTF8')), 'https://push.test', 'x', 'y', ${sessionId})`;
  expect(await findEmployee(company.owner, employeeId)).toMatchObject({ sessions: 2, devices: 1 });
  expect(await signOutEmployee(other.owner, employeeId)).toBe('no-such-employee');
  expect(await findEmployee(company.owner, employeeId)).toMatchObject({ sessions: 2, devices: 1 });
  expect(await signOutEmployee(company.owner, employeeId)).toBe('signed-out');
  expect(await findEmployee(company.owner, employeeId)).toMatchObject({ sessions: 0, devices: 0 });
  expect(await authenticatePassword(username, password, randomUUID())).toHaveProperty('accountId');
  const { entries } = await listAudit(company.owner, { limit: 1 });
  expect(entries[0]).toMatchObject({ action: 'employee.sign-out', details: { employeeId, name: 'Uji' } });
  const others = [(await company.hire()).employeeId, must(await addMyself(company.owner, 'Pemilik'))];
  for (const id of others) expect(await signOutEmployee(company.owner, id)).toBe('no-such-employee');
});

test('several employees of the company change together, each audited', async ({ company, other, owner }) => {
  const [one, two, gone] = [await company.hire('Satu'), await company.hire('Dua'), await company.hire('Tiga')];
  const foreign = await other.hire('Tetangga');
  const username = await company.giveAccount(one);
  await company.deactivate(gone);
  const ids = [one, two, gone, foreign].map(({ employeeId }) => employeeId);
  expect(await setEmployeesActive(owner, ids, false)).toBe(2);
  expect(await findEmployee(other.owner, foreign.employeeId)).toMatchObject({ active: true });
  expect(await authenticatePassword(username, password, randomUUID())).not.toHaveProperty('accountId');
  const { entries } = await listAudit(owner, { limit: 3 });
  const deactivated = ['Dua', 'Satu', 'Tiga'].map((name) => ['employee.deactivate', name]);
  expect(entries.map(({ action, details }) => [action, details.name])).toEqual(deactivated);
  expect(entries[0]?.requestId).toBe(entries[1]?.requestId);
  expect(await setEmployeesActive(owner, ids, true)).toBe(3);
  expect(await setEmployeesActive(owner, ids, true)).toBe(0);
  const [count] = await sql()<{ active: number }[]>`
    select active_employees as active from companies where id = ${owner.companyId}`;
  expect(count?.active).toBe(3);
});

test('a staff number is unique, can be searched, changed and removed', async ({ company, other, owner }) => {
  const person = { name: 'Uji Satu', role: 'Kasir' };
  const id = must(await addEmployee(owner, { ...person, staffNumber: 'G-017' }));
  expect(await addEmployee(owner, { ...person, name: 'Uji Dua', staffNumber: 'G-017' })).toBe('staff-number-taken');
  expect(await addEmployee(other.owner, { ...person, staffNumber: 'G-017' })).toBeTypeOf('number');
  expect(await listEmployees(owner, { search: 'g-01' })).toMatchObject([{ id, staffNumber: 'G-017' }]);
  const listed = await listEmployeesForKey(await principalOf(await company.newKey()));
  expect(listed, 'a key never sees it').toEqual([{ id, ...person }]);
  const second = must(await addEmployee(owner, { ...person, name: 'Uji Dua', staffNumber: 'G-018' }));
  expect(await editEmployee(owner, second, { ...person, staffNumber: 'G-017' })).toBe('staff-number-taken');
  expect(await editEmployee(other.owner, second, { ...person, staffNumber: 'X' })).toBe('no-such-employee');
  expect(await editEmployee(owner, second, { name: 'Uji Dua', role: 'Gudang' })).toBe('edited');
  expect(await listEmployees(owner, { search: 'G-018' })).toMatchObject([{ name: 'Uji Dua', role: 'Gudang' }]);
  expect(await editEmployee(owner, second, { name: 'Uji Dua', role: 'Gudang', staffNumber: null })).toBe('edited');
  expect(await listEmployees(owner, { search: 'G-018' })).toEqual([]);
  const [entry] = (await listAudit(owner)).entries;
  expect(entry?.details).toMatchObject({ staffNumber: null, was: { staffNumber: 'G-018' } });
});

test('a change of role of several people is audited for each, and spares others', async ({ company, other }) => {
  const people = [await company.hire('A', 'Kasir'), await company.hire('B', 'Gudang')];
  people.push(await company.hire('C', 'Sopir'));
  await company.deactivate(people[2] as Employee);
  const theirs = await other.hire('D', 'Kasir');
  const ids = [...people, theirs].map(({ employeeId }) => employeeId);
  expect(await setEmployeeRoles(company.owner, ids, 'Gudang')).toBe(2);
  expect(await listRoles(company.owner)).toEqual(['Gudang']);
  expect(await listRoles(other.owner)).toEqual(['Kasir']);
  const edits = (await listAudit(company.owner)).entries.filter(({ action }) => action === 'employee.edit');
  expect(edits.map(({ details }) => details.was)).toMatchObject([{ name: 'C', role: 'Sopir' }, { name: 'A' }]);
});

test('a reminder goes to who never opened the portal, with a link without an account', async ({ company, other }) => {
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
  expect((await actionsOf(company)).slice(0, 3)).toEqual(['employee.remind', 'employee.remind', 'invitation.create']);
});
