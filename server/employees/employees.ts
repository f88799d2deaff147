import { inTransaction, sql, type Transaction } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { endAllSessions } from '#server/accounts/sessions.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { ApiKey, Owner } from '#server/principals.ts';

/** An employee as an API key sees one: id, name and role only. */
export type ListedEmployee = { id: number; name: string; role: string };

/** Every employee of the key's company, active or not, ordered by id (contract §5). */
export async function listEmployeesForKey(key: ApiKey): Promise<ListedEmployee[]> {
  return sql()<ListedEmployee[]>`select id, name, role from employees where company_id = ${key.companyId} order by id`;
}

/**
 * Locks the company's row and adds `change` to its count of active employees. Call it first in
 * every transaction that changes who is active. Returns the number of the last notification: the
 * spans in which employees receive broadcasts begin and end there.
 */
export async function changeActiveCount(tx: Transaction, { companyId }: Owner, change: number): Promise<number> {
  const [company] = await tx<{ lastNo: number }[]>`
    update companies set active_employees = active_employees + ${change}
    where id = ${companyId} returning last_no as "lastNo"`;
  if (!company) throw new Error(`company ${companyId} does not exist`);
  return company.lastNo;
}

/** What an owner enters for an employee: a name of 1–120 and a role of 1–60 characters. */
export type EmployeeDetails = { name: string; role: string };

async function insertEmployee(
  tx: Transaction,
  owner: Owner,
  { name, role }: EmployeeDetails,
  accountId: number | null,
): Promise<number> {
  const fromNo = await changeActiveCount(tx, owner, 1);
  const [added] = await tx<{ id: number }[]>`
    insert into employees (company_id, name, role, account_id)
    values (${owner.companyId}, ${name}, ${role}, ${accountId}) returning id`;
  if (!added) throw new Error('the employee was not inserted');
  await openSpan(tx, owner, added.id, fromNo);
  await recordAudit(tx, owner, 'employee.add', { employeeId: added.id, name, role });
  return added.id;
}

/** Adds an active employee, who receives what is sent from now on. Returns their id. */
export async function addEmployee(owner: Owner, details: EmployeeDetails): Promise<number> {
  return inTransaction((tx) => insertEmployee(tx, owner, details, null));
}

/** Adds the owner as an employee, with the same account. Returns the employee's id. */
export async function addMyself(owner: Owner, role: string): Promise<number | 'already-employee'> {
  return inTransaction(async (tx) => {
    await changeActiveCount(tx, owner, 0);
    const found = await tx`
      select from employees where company_id = ${owner.companyId} and account_id = ${owner.accountId}`;
    if (found.length > 0) return 'already-employee';
    return insertEmployee(tx, owner, { name: owner.name, role }, owner.accountId);
  });
}

/** Changes an employee's name and role. */
export async function editEmployee(
  owner: Owner,
  id: number,
  { name, role }: EmployeeDetails,
): Promise<'edited' | 'no-such-employee'> {
  return inTransaction(async (tx) => {
    const [was] = await tx<EmployeeDetails[]>`
      select name, role from employees where company_id = ${owner.companyId} and id = ${id} for update`;
    if (!was) return 'no-such-employee';
    await tx`update employees set name = ${name}, role = ${role} where company_id = ${owner.companyId} and id = ${id}`;
    await recordAudit(tx, owner, 'employee.edit', { employeeId: id, name, role, was });
    return 'edited';
  });
}

/**
 * Activates or deactivates an employee. An inactive employee receives nothing and cannot sign in;
 * what they received stays in their inbox. Deactivating ends their sessions and the pushes to their
 * devices, and activating again restores neither.
 */
export async function setEmployeeActive(
  owner: Owner,
  id: number,
  active: boolean,
): Promise<'changed' | 'unchanged' | 'no-such-employee'> {
  const { companyId } = owner;
  return inTransaction(async (tx) => {
    await announceAccessChange(tx, owner);
    const [employee] = await tx<{ name: string; active: boolean; accountId: number | null }[]>`
      select name, active, account_id as "accountId" from employees where company_id = ${companyId} and id = ${id}`;
    if (!employee) return 'no-such-employee';
    if (employee.active === active) return 'unchanged';
    const lastNo = await changeActiveCount(tx, owner, active ? 1 : -1);
    await tx`update employees set active = ${active} where company_id = ${companyId} and id = ${id}`;
    await (active ? openSpan : closeSpan)(tx, owner, id, lastNo);
    if (!active && employee.accountId !== null) await endAccess(tx, owner, employee.accountId);
    if (!active) await tx`delete from push_subscriptions where company_id = ${companyId} and employee_id = ${id}`;
    const action = active ? 'employee.activate' : 'employee.deactivate';
    await recordAudit(tx, owner, action, { employeeId: id, name: employee.name });
    return 'changed';
  });
}

// An owner keeps their sessions for the management area.
async function endAccess(tx: Transaction, { companyId }: Owner, accountId: number): Promise<void> {
  const [account] = await tx`
    update accounts set session_version = session_version + 1
    where company_id = ${companyId} and id = ${accountId} and not is_owner returning id`;
  if (account) await endAllSessions(tx, { companyId, accountId });
}

async function openSpan(tx: Transaction, { companyId }: Owner, employeeId: number, fromNo: number): Promise<void> {
  await tx`insert into employment (company_id, employee_id, from_no) values (${companyId}, ${employeeId}, ${fromNo})`;
}

async function closeSpan(tx: Transaction, { companyId }: Owner, employeeId: number, untilNo: number): Promise<void> {
  await tx`
    update employment set until_no = ${untilNo}
    where company_id = ${companyId} and employee_id = ${employeeId} and until_no is null`;
}

/**
 * Ends all sessions of an employee and the pushes to their devices; the password stays valid.
 * Owners end their own sessions in their settings instead.
 */
export async function signOutEmployee(
  owner: Owner,
  id: number,
): Promise<'signed-out' | 'no-such-employee' | 'no-account' | 'is-owner'> {
  return inTransaction(async (tx) => {
    await announceAccessChange(tx, owner);
    const [employee] = await tx<{ name: string; accountId: number | null; isOwner: boolean | null }[]>`
      select e.name, e.account_id as "accountId", a.is_owner as "isOwner"
      from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
      where e.company_id = ${owner.companyId} and e.id = ${id}`;
    if (!employee) return 'no-such-employee';
    if (employee.accountId === null) return 'no-account';
    if (employee.isOwner) return 'is-owner';
    await endAccess(tx, owner, employee.accountId);
    await recordAudit(tx, owner, 'employee.sign-out', { employeeId: id, name: employee.name });
    return 'signed-out';
  });
}
