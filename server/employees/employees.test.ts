import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { asManager } from '#db/person-transaction.ts';
import { makeCompany, password } from '#e2e/support/data/company.ts';
import { openSession } from '#server/accounts/sessions/sessions.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { listAudit } from '#server/audit/list.ts';
import { findEmployee } from '#server/employees/employee-list.ts';
import { addMyself, setEmployeesActive, signOutEmployee } from '#server/employees/employees.ts';
import { changeRoles } from '#server/employees/employment.ts';

test('signing an employee out ends all sessions and devices, and keeps the password', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const employee = await company.hire('Uji');
  const username = await company.giveAccount(employee);
  const account = await authenticatePassword(username, password, randomUUID());
  if (typeof account === 'string' || !('accountId' in account)) throw new Error('the sign-in failed');
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
});

test('an employee without an account and an owner cannot be signed out', async () => {
  const company = await makeCompany();
  expect(await signOutEmployee(company.owner, (await company.hire()).employeeId)).toBe('no-such-employee');
  expect(await signOutEmployee(company.owner, Number(await addMyself(company.owner, 'Pemilik')))).toBe(
    'no-such-employee',
  );
});

test('several employees change in one transaction, each with an audit entry, none of another company', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const { owner } = company;
  const [one, two, gone] = [await company.hire('Satu'), await company.hire('Dua'), await company.hire('Tiga')];
  const foreign = await other.hire('Tetangga');
  const username = await company.giveAccount(one);
  await company.deactivate(gone);
  const ids = [one, two, gone, foreign].map(({ employeeId }) => employeeId);
  expect(await setEmployeesActive(owner, ids, false)).toBe(2);
  expect(await findEmployee(other.owner, foreign.employeeId)).toMatchObject({ active: true });
  expect(await authenticatePassword(username, password, randomUUID())).not.toHaveProperty('accountId');
  const { entries } = await listAudit(owner, { limit: 3 });
  expect(entries.map(({ action, details }) => [action, details.name])).toEqual([
    ['employee.deactivate', 'Dua'],
    ['employee.deactivate', 'Satu'],
    ['employee.deactivate', 'Tiga'],
  ]);
  expect(entries[0]?.requestId).toBe(entries[1]?.requestId);
  expect(await setEmployeesActive(owner, ids, true)).toBe(3);
  expect(await setEmployeesActive(owner, ids, true)).toBe(0);
  const [count] = await sql()<{ active: number }[]>`
    select active_employees as active from companies where id = ${owner.companyId}`;
  expect(count?.active).toBe(3);
  await expect(
    setEmployeesActive(
      owner,
      Array.from({ length: 201 }, (_, id) => id + 1),
      false,
    ),
  ).rejects.toThrow('200');
});

test('a change of role returns whom it changed, by id, and nobody of another company', async () => {
  const [company, other] = [await makeCompany(), await makeCompany()];
  const { owner } = company;
  const [one, two] = [await company.hire('Satu', 'Kasir'), await company.hire('Dua', 'Kasir')];
  const foreign = await other.hire('Tetangga', 'Kasir');
  await company.deactivate(two);
  const ids = [two, one, foreign].map(({ employeeId }) => employeeId);
  const change = (role: string) => asManager(owner, (tx) => changeRoles(tx, owner, ids, role));
  expect(await change('Koki')).toEqual([
    { id: one.employeeId, name: 'Satu', was: 'Kasir' },
    { id: two.employeeId, name: 'Dua', was: 'Kasir' },
  ]);
  expect(await change('Koki')).toEqual([]);
  expect(await findEmployee(owner, two.employeeId)).toMatchObject({ role: 'Koki' });
  expect(await findEmployee(other.owner, foreign.employeeId)).toMatchObject({ role: 'Kasir' });
});
