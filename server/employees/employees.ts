import { byId, db, matches, requireRow } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { unlessDuplicate } from '#db/driver/errors.ts';
import { and, eq, not, sql } from '#db/drizzle.cjs';
import { type PersonTransaction, withManager } from '#db/person-transaction.ts';
import { accounts, employees, pushSubscriptions } from '#db/schema/tables.ts';
import { endAllSessions } from '#server/accounts/sessions/sessions.ts';
import { recordAudit } from '#server/audit/record.ts';
import {
  beginEmployment,
  changeActiveCount,
  type EmployeeDetails,
  endEmployment,
  insertEmployees,
  isOfManagement,
  isProtectedFrom,
  lockEmployees,
} from '#server/employees/employment.ts';
import type { ApiKey, Manager } from '#server/principals.ts';

/** Id, name and role of every employee of the key's company, active or not, ordered by id (contract §5). */
export async function listEmployeesForKey(key: ApiKey) {
  const { companyId, id, name, role } = employees;
  return db().select({ id, name, role }).from(employees).where(eq(companyId, key.companyId)).orderBy(id);
}

/** Adds an active employee, who receives later sends. Returns the id. */
export async function addEmployee(manager: Manager, details: EmployeeDetails): Promise<number | 'staff-number-taken'> {
  const add = withManager(manager, (tx) => requireRow(insertEmployees(tx, manager, [details])));
  return unlessTaken(add.then(({ employeeId }) => employeeId));
}

// Another employee of the company may have the staff number.
const unlessTaken = <Result>(change: Promise<Result>) =>
  unlessDuplicate('employees_staff_number', 'staff-number-taken', change);

/** Adds the owner or manager as an employee, with the same account. Returns the employee's id. */
export async function addMyself(manager: Manager, role: string): Promise<number | 'already-employee'> {
  return withManager(manager, async (tx) => {
    await changeActiveCount(tx, manager, 0);
    const { companyId, accountId, name } = manager;
    if (await db(tx).$count(employees, matches(employees, { companyId, accountId }))) return 'already-employee';
    const { employeeId } = await requireRow(insertEmployees(tx, manager, [{ name, role }], { accountId }));
    return employeeId;
  });
}

/** Changes an employee. An undefined staff number stays, null removes it. They receive later sends to the new role. */
export async function editEmployee(
  manager: Manager,
  id: number,
  { name, role, staffNumber }: EmployeeDetails,
): Promise<'edited' | 'no-such-employee' | 'staff-number-taken'> {
  const edit = withManager(manager, async (tx) => {
    const isEmployee = byId(employees, manager, id);
    const [employee] = await selectChangeable(tx, manager, [id]).for('update', { of: employees });
    if (!employee) return 'no-such-employee';
    const { staffNumber: wasNumber } = employee;
    const was = { name: employee.name, role: employee.role };
    const number = staffNumber === undefined ? wasNumber : staffNumber;
    await db(tx).update(employees).set({ name, role, staffNumber: number }).where(isEmployee);
    const numbers = number === wasNumber ? {} : { staffNumber: number, was: { ...was, staffNumber: wasNumber } };
    await recordAudit(tx, manager, 'employee.edit', { employeeId: id, name, role, was, ...numbers });
    return 'edited';
  });
  return unlessTaken(edit);
}

/** The most employees of one bulk change. */
export const maxBulkEmployees = 200;

/**
 * Gives employees a role, all or none. Leaves out people of other companies, and whom this manager may not change.
 * Returns how many changed.
 */
export async function setEmployeeRoles(manager: Manager, ids: number[], role: string): Promise<number> {
  return withManager(manager, async (tx) => {
    const changing = (await selectChangeable(tx, manager, ids)).filter((person) => person.role !== role);
    const areChanging = matches(employees, { companyId: manager.companyId, id: changing.map(({ id }) => id) });
    await db(tx).update(employees).set({ role }).where(areChanging);
    const details = changing.map(({ id, name, role: was }) => ({
      employeeId: id,
      name,
      role,
      was: { name, role: was },
    }));
    await recordAudit(tx, manager, 'employee.edit', details);
    return changing.length;
  });
}

/**
 * Activates or deactivates employees, all or none; ids of other companies are ignored. The inactive receive nothing and
 * cannot sign in; their sessions and pushes end. Returns how many changed.
 */
export async function setEmployeesActive(manager: Manager, ids: number[], active: boolean): Promise<number> {
  return withManager(manager, (tx) => changeActivity(tx, manager, ids, active));
}

/** As `setEmployeesActive`, in a transaction. It locks the company's row: call it first, or where that is locked. */
async function changeActivity(tx: PersonTransaction, manager: Manager, ids: number[], active: boolean) {
  const { companyId } = manager;
  await announceAccessChange(tx, manager);
  const people = (await selectChangeable(tx, manager, ids)).filter((person) => person.active !== active);
  if (people.length === 0) return 0;
  const changing = people.map(({ id }) => id);
  const lastNo = await changeActiveCount(tx, manager, active ? people.length : -people.length);
  const areChanging = matches(employees, { companyId, id: changing });
  await db(tx).update(employees).set({ active }).where(areChanging);
  await (active ? beginEmployment : endEmployment)(tx, manager, changing, lastNo);
  if (!active) {
    const accountIds = people.flatMap(({ accountId }) => accountId ?? []);
    await endAllSessions(tx, manager, accountIds);
    const devices = matches(pushSubscriptions, { companyId, employeeId: changing });
    await db(tx).delete(pushSubscriptions).where(devices);
  }
  const action = active ? 'employee.activate' : 'employee.deactivate';
  const details = people.map(({ id, name }) => ({ employeeId: id, name }));
  await recordAudit(tx, manager, action, details);
  return people.length;
}

// Selects the employees that the manager may change. `accountId` is null for owners and managers: their sessions stay,
// because they need them for the management area.
function selectChangeable(tx: PersonTransaction, manager: Manager, ids: number[]) {
  const { id, name, role, staffNumber, active } = employees;
  const accountId = sql<number | null>`case when not ${isOfManagement} then ${employees.accountId} end`;
  return db(tx)
    .select({ id, name, role, staffNumber, active, accountId })
    .from(employees)
    .leftJoin(accounts, byId(accounts, employees, employees.accountId))
    .where(and(matches(employees, { companyId: manager.companyId, id: ids }), not(isProtectedFrom(manager))))
    .orderBy(id);
}

/** Ends all sessions and pushes of an active employee who is no owner or manager; the password stays valid. */
export async function signOutEmployee(manager: Manager, id: number): Promise<'signed-out' | 'no-such-employee'> {
  return withManager(manager, async (tx) => {
    await announceAccessChange(tx, manager);
    const [employee] = await lockEmployees(tx, manager, [id]);
    if (!employee?.accountId) return 'no-such-employee';
    await endAllSessions(tx, manager, [employee.accountId]);
    await recordAudit(tx, manager, 'employee.sign-out', { employeeId: id, name: employee.name });
    return 'signed-out';
  });
}
