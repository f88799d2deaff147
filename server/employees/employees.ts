import { inTransaction, sql, type Transaction } from '#db/client.ts';
import { announceAccessChange, lockCompanyRow } from '#db/company-row.ts';
import { isDuplicate } from '#db/driver/errors.ts';
import { endAllSessions } from '#server/accounts/sessions.ts';
import { recordAudit, recordAudits } from '#server/audit/record.ts';
import { isProtectedFrom } from '#server/employees/protection.ts';
import type { ApiKey, Manager } from '#server/principals.ts';

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
export async function changeActiveCount(tx: Transaction, { companyId }: Manager, change: number): Promise<number> {
  const [company] = await tx<{ lastNo: number }[]>`
    update companies set active_employees = active_employees + ${change}
    where id = ${companyId} returning last_no as "lastNo"`;
  if (!company) throw new Error(`company ${companyId} does not exist`);
  return company.lastNo;
}

/**
 * What is entered for an employee: a name of 1–120 and a role of 1–60 characters, and perhaps the
 * company's own number of the person, of 1–40 characters.
 */
export type EmployeeDetails = { name: string; role: string; staffNumber?: string | null };

async function insertEmployee(
  tx: Transaction,
  manager: Manager,
  { name, role, staffNumber = null }: EmployeeDetails,
  accountId: number | null,
): Promise<number> {
  const fromNo = await changeActiveCount(tx, manager, 1);
  const [added] = await tx<{ id: number }[]>`
    insert into employees (company_id, name, role, staff_number, account_id)
    values (${manager.companyId}, ${name}, ${role}, ${staffNumber}, ${accountId}) returning id`;
  if (!added) throw new Error('the employee was not inserted');
  await openSpans(tx, manager, [added.id], fromNo);
  await recordAudit(tx, manager, 'employee.add', {
    employeeId: added.id,
    name,
    role,
    ...(staffNumber && { staffNumber }),
  });
  return added.id;
}

/**
 * Adds an active employee without a staff number, who receives what is sent from now on. Returns
 * their id.
 */
export async function addEmployee(
  manager: Manager,
  { name, role }: Pick<EmployeeDetails, 'name' | 'role'>,
): Promise<number> {
  return inTransaction((tx) => insertEmployee(tx, manager, { name, role }, null));
}

/** Adds an employee as `addEmployee` does, perhaps with a staff number. */
export async function addNumberedEmployee(
  manager: Manager,
  details: EmployeeDetails,
): Promise<number | 'staff-number-taken'> {
  return unlessTaken(inTransaction((tx) => insertEmployee(tx, manager, details, null)));
}

// The unique key refuses a staff number that another employee of the company has.
async function unlessTaken<Result>(change: Promise<Result>): Promise<Result | 'staff-number-taken'> {
  try {
    return await change;
  } catch (error) {
    if (isDuplicate(error, 'employees_staff_number')) return 'staff-number-taken';
    throw error;
  }
}

/** Adds the owner or manager as an employee, with the same account. Returns the employee's id. */
export async function addMyself(manager: Manager, role: string): Promise<number | 'already-employee'> {
  return inTransaction(async (tx) => {
    await changeActiveCount(tx, manager, 0);
    const found = await tx`
      select from employees where company_id = ${manager.companyId} and account_id = ${manager.accountId}`;
    if (found.length > 0) return 'already-employee';
    return insertEmployee(tx, manager, { name: manager.name, role }, manager.accountId);
  });
}

/**
 * Changes an employee's name and role, and their staff number unless it is undefined; null removes
 * it. What is sent to the role from now on is theirs.
 */
export async function editEmployee(
  manager: Manager,
  id: number,
  { name, role, staffNumber }: EmployeeDetails,
): Promise<'edited' | 'no-such-employee' | 'staff-number-taken'> {
  const edit = inTransaction(async (tx) => {
    await lockCompanyRow(tx, manager);
    const [found] = await tx<Required<EmployeeDetails>[]>`
      select e.name, e.role, e.staff_number as "staffNumber"
      from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
      where e.company_id = ${manager.companyId} and e.id = ${id} and not ${isProtectedFrom(manager)} for update of e`;
    if (!found) return 'no-such-employee';
    const { staffNumber: wasNumber, ...was } = found;
    const number = staffNumber === undefined ? wasNumber : staffNumber;
    await tx`
      update employees set name = ${name}, staff_number = ${number}
      where company_id = ${manager.companyId} and id = ${id}`;
    await changeRoles(tx, manager, [id], role);
    const numbers = number === wasNumber ? {} : { staffNumber: number, was: { ...was, staffNumber: wasNumber } };
    await recordAudit(tx, manager, 'employee.edit', { employeeId: id, name, role, was, ...numbers });
    return 'edited';
  });
  return unlessTaken(edit);
}

/** An employee whose role was changed, and the role before. */
export type ChangedRole = { id: number; name: string; was: string };

/**
 * Gives employees of the manager's company a role. It locks the company's row, so call it before
 * any other lock of the transaction, or after `lockCompanyRow`. The span of an active person ends at
 * the company's last number and the next one begins there: an earlier send to the old role stays
 * theirs. The caller writes the audit entries. Ignores ids of other companies and people who have
 * the role. Returns the others, by id.
 */
export async function changeRoles(
  tx: Transaction,
  manager: Manager,
  ids: number[],
  role: string,
): Promise<ChangedRole[]> {
  const { companyId } = manager;
  await lockCompanyRow(tx, manager);
  const changing = await tx<ChangedRole[]>`
    select id, name, role as was from employees
    where company_id = ${companyId} and id = any(${ids}::int[]) and role <> ${role} order by id for update`;
  if (changing.length === 0) return [];
  const changed = changing.map(({ id }) => id);
  // A span that begins at the last number covers none yet. It takes the new role.
  const closed = await tx<{ id: number; untilNo: number }[]>`
    update employment s set until_no = c.last_no, role = e.role
    from companies c, employees e
    where c.id = ${companyId} and s.company_id = c.id and s.employee_id = any(${changed}::int[])
      and s.until_no is null and s.from_no < c.last_no and e.company_id = s.company_id and e.id = s.employee_id
    returning s.employee_id as id, s.until_no as "untilNo"`;
  await tx`update employees set role = ${role} where company_id = ${companyId} and id = any(${changed}::int[])`;
  const [first] = closed;
  if (first)
    await openSpans(
      tx,
      manager,
      closed.map(({ id }) => id),
      first.untilNo,
    );
  return changing;
}

/** The most employees of one bulk change. */
export const maxBulkEmployees = 200;

/**
 * Gives up to 200 employees a role, all or none, with an audit entry for each whose role changes.
 * Ignores ids of other companies and people whom the manager may not change. Returns how many
 * changed. Throws when there are more than 200 ids.
 */
export async function setEmployeeRoles(manager: Manager, ids: number[], role: string): Promise<number> {
  if (ids.length > maxBulkEmployees) throw new Error(`a bulk change has at most ${maxBulkEmployees} employees`);
  return inTransaction(async (tx) => {
    await lockCompanyRow(tx, manager);
    const people = await tx<{ id: number }[]>`
      select e.id from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
      where e.company_id = ${manager.companyId} and e.id = any(${ids}::int[]) and not ${isProtectedFrom(manager)}`;
    const changed = await changeRoles(
      tx,
      manager,
      people.map(({ id }) => id),
      role,
    );
    const details = changed.map(({ id, name, was }) => ({ employeeId: id, name, role, was: { name, role: was } }));
    await recordAudits(tx, manager, 'employee.edit', details);
    return changed.length;
  });
}

/**
 * Activates or deactivates an employee. An inactive employee receives nothing and cannot sign in;
 * what they received stays in their inbox. Deactivating ends their sessions and the pushes to their
 * devices, and activating again restores neither.
 */
export async function setEmployeeActive(
  manager: Manager,
  id: number,
  active: boolean,
): Promise<'changed' | 'unchanged' | 'no-such-employee'> {
  const { found, changed } = await inTransaction((tx) => changeActivity(tx, manager, [id], active));
  if (found === 0) return 'no-such-employee';
  return changed === 0 ? 'unchanged' : 'changed';
}

/**
 * Activates or deactivates up to 200 employees, all or none, with an audit entry for each whose
 * state changes. Ignores ids of other companies. Returns how many changed. Throws when there are
 * more than 200 ids.
 */
export async function setEmployeesActive(manager: Manager, ids: number[], active: boolean): Promise<number> {
  if (ids.length > maxBulkEmployees) throw new Error(`a bulk change has at most ${maxBulkEmployees} employees`);
  return (await inTransaction((tx) => changeActivity(tx, manager, ids, active))).changed;
}

/**
 * Activates or deactivates employees in a transaction, with an audit entry for each whose state
 * changes. It locks the company's row, so call it before any other lock, or after that one.
 */
export async function changeActivity(
  tx: Transaction,
  manager: Manager,
  ids: number[],
  active: boolean,
): Promise<{ found: number; changed: number }> {
  const { companyId } = manager;
  await announceAccessChange(tx, manager);
  const found = await tx<{ id: number; name: string; active: boolean; accountId: number | null }[]>`
    select e.id, e.name, e.active, e.account_id as "accountId"
    from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
    where e.company_id = ${companyId} and e.id = any(${ids}::int[]) and not ${isProtectedFrom(manager)} order by e.id`;
  const people = found.filter((person) => person.active !== active);
  if (people.length === 0) return { found: found.length, changed: 0 };
  const changing = people.map(({ id }) => id);
  const lastNo = await changeActiveCount(tx, manager, active ? people.length : -people.length);
  await tx`
    update employees set active = ${active} where company_id = ${companyId} and id = any(${changing}::int[])`;
  await (active ? openSpans : closeSpans)(tx, manager, changing, lastNo);
  if (!active) {
    const accounts = people.flatMap(({ accountId }) => accountId ?? []);
    await endAccess(tx, manager, accounts);
    await tx`
      delete from push_subscriptions where company_id = ${companyId} and employee_id = any(${changing}::int[])`;
  }
  const action = active ? 'employee.activate' : 'employee.deactivate';
  const details = people.map(({ id, name }) => ({ employeeId: id, name }));
  await recordAudits(tx, manager, action, details);
  return { found: found.length, changed: people.length };
}

// Owners and managers keep their sessions for the management area.
async function endAccess(tx: Transaction, { companyId }: Manager, accountIds: number[]): Promise<void> {
  const accounts = await tx<{ id: number }[]>`
    update accounts set session_version = session_version + 1
    where company_id = ${companyId} and id = any(${accountIds}::int[]) and not is_owner and not is_manager returning id`;
  for (const { id } of accounts) await endAllSessions(tx, { companyId, accountId: id });
}

async function openSpans(
  tx: Transaction,
  { companyId }: Manager,
  employeeIds: number[],
  fromNo: number,
): Promise<void> {
  await tx`
    insert into employment (company_id, employee_id, from_no)
    select ${companyId}, id, ${fromNo} from unnest(${employeeIds}::int[]) as started (id)`;
}

async function closeSpans(
  tx: Transaction,
  { companyId }: Manager,
  employeeIds: number[],
  untilNo: number,
): Promise<void> {
  await tx`
    update employment s set until_no = ${untilNo}, role = e.role from employees e
    where s.company_id = ${companyId} and s.employee_id = any(${employeeIds}::int[]) and s.until_no is null
      and e.company_id = s.company_id and e.id = s.employee_id`;
}

/**
 * Ends all sessions of an employee and the pushes to their devices; the password stays valid.
 * Owners and managers end their own sessions in their settings instead.
 */
export async function signOutEmployee(
  manager: Manager,
  id: number,
): Promise<'signed-out' | 'no-such-employee' | 'no-account' | 'is-owner' | 'is-manager'> {
  return inTransaction(async (tx) => {
    await announceAccessChange(tx, manager);
    const [employee] = await tx<
      { name: string; accountId: number | null; isOwner: boolean | null; isManager: boolean | null }[]
    >`
      select e.name, e.account_id as "accountId", a.is_owner as "isOwner", a.is_manager as "isManager"
      from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
      where e.company_id = ${manager.companyId} and e.id = ${id}`;
    if (!employee) return 'no-such-employee';
    if (employee.accountId === null) return 'no-account';
    if (employee.isOwner) return 'is-owner';
    if (employee.isManager) return 'is-manager';
    await endAccess(tx, manager, [employee.accountId]);
    await recordAudit(tx, manager, 'employee.sign-out', { employeeId: id, name: employee.name });
    return 'signed-out';
  });
}
