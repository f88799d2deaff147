import { byId, countRows, db, deleteRows, matches, requireRow, updateRows } from '#db/client.ts';
import { announceAccessChange, type PersonTransaction, withManager } from '#db/company-row.ts';
import { unlessDuplicate } from '#db/driver/errors.ts';
import { and, eq, ne, not, type SQL, sql } from '#db/drizzle.cjs';
import { accounts, companies, employees, employment, pushSubscriptions } from '#db/schema/tables.ts';
import { endAllSessions } from '#server/accounts/sessions/sessions.ts';
import { recordAudit } from '#server/audit/record.ts';
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
    if ((await countRows(db(tx), employees, { companyId, accountId })) > 0) return 'already-employee';
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
    const [employee] = await selectChangeable(tx, manager, [id]).for('update', { of: employees });
    if (!employee) return 'no-such-employee';
    const { staffNumber: wasNumber } = employee;
    const was = { name: employee.name, role: employee.role };
    const number = staffNumber === undefined ? wasNumber : staffNumber;
    const values = { companyId: manager.companyId, id };
    await updateRows(db(tx), employees, values, { name, role, staffNumber: number });
    const numbers = number === wasNumber ? {} : { staffNumber: number, was: { ...was, staffNumber: wasNumber } };
    await recordAudit(tx, manager, 'employee.edit', { employeeId: id, name, role, was, ...numbers });
    return 'edited';
  });
  return unlessTaken(edit);
}

/** The most employees of one bulk change. */
export const maxBulkEmployees = 200;

/** Gives employees a role, all or none, but not whom this manager may not change. Returns how many changed. */
export async function setEmployeeRoles(manager: Manager, ids: number[], role: string): Promise<number> {
  return withManager(manager, async (tx) => {
    const people = (await selectChangeable(tx, manager, ids)).filter((person) => person.role !== role);
    const chosen = { companyId: manager.companyId, id: people.map(({ id }) => id) };
    await updateRows(db(tx), employees, chosen, { role });
    const details = people.map(({ id, name, role: was }) => ({ employeeId: id, name, role, was: { name, role: was } }));
    await recordAudit(tx, manager, 'employee.edit', details);
    return people.length;
  });
}

/**
 * Activates or deactivates employees, all or none; ids of other companies are ignored. The inactive receive nothing and
 * cannot sign in; their sessions and pushes end. Returns how many changed.
 */
export async function setEmployeesActive(manager: Manager, ids: number[], active: boolean): Promise<number> {
  const { companyId } = manager;
  return withManager(manager, async (tx) => {
    await announceAccessChange(tx, manager);
    const people = (await selectChangeable(tx, manager, ids)).filter((person) => person.active !== active);
    if (people.length === 0) return 0;
    const employeeId = people.map(({ id }) => id);
    const lastNo = await changeActiveCount(tx, manager, active ? people.length : -people.length);
    await updateRows(db(tx), employees, { companyId, id: employeeId }, { active });
    if (active) await beginEmployment(tx, manager, employeeId, lastNo);
    else {
      await updateRows(db(tx), employment, { companyId, employeeId, untilNo: null }, { untilNo: lastNo });
      const accountIds = people.flatMap(({ accountId }) => accountId ?? []);
      await endAllSessions(tx, manager, accountIds);
      await deleteRows(db(tx), pushSubscriptions, { companyId, employeeId });
    }
    const details = people.map(({ id, name }) => ({ employeeId: id, name }));
    await recordAudit(tx, manager, active ? 'employee.activate' : 'employee.deactivate', details);
    return people.length;
  });
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

/** Whether the joined account of an employee is an owner's or manager's, whose passwords come from an owner only. */
export const isOfManagement = sql<boolean>`coalesce(${accounts.isOwner} or ${accounts.isManager}, false)`;

/** Whether a manager may not change the employee with the joined account: an owner or another manager. */
export const isProtectedFrom = ({ kind, accountId }: Manager): SQL<boolean> =>
  kind === 'owner' ? sql`false` : sql`(${isOfManagement} and ${ne(accounts.id, accountId)})`;

/** An employee; `accountId` and `username` are null without an account. */
export type LockedEmployee = Awaited<ReturnType<typeof lockEmployees>>[number];

const { id: employeeId, name, role, accountId } = employees;
const lockedFields = { employeeId, name, role, accountId, username: accounts.username };

/** Locks those of these employees who are active, no owners and no managers, and meet the condition. */
export const lockEmployees = (tx: PersonTransaction, { companyId }: Manager, ids: number[], condition?: SQL) =>
  db(tx)
    .select(lockedFields)
    .from(employees)
    .leftJoin(accounts, byId(accounts, employees, employees.accountId))
    .where(and(matches(employees, { companyId, id: ids }), employees.active, not(isOfManagement), condition))
    .orderBy(employees.id)
    .for('update', { of: employees });

// Locks the company's row and changes its count of active employees; first in every transaction that changes who is
// active. Returns the last number, where employment periods begin and end.
async function changeActiveCount(tx: PersonTransaction, { companyId }: Manager, change: number) {
  const activeEmployees = sql`${companies.activeEmployees} + ${change}`;
  const changing = db(tx).update(companies).set({ activeEmployees }).where(eq(companies.id, companyId));
  return (await requireRow(changing.returning({ lastNo: companies.lastNo }))).lastNo;
}

async function beginEmployment(tx: PersonTransaction, { companyId }: Manager, employeeIds: number[], fromNo: number) {
  // As text: the builder has no list of rows whose text is the same for each number of them.
  await db(tx).execute(sql`
    insert into employment (company_id, employee_id, from_no)
    select ${companyId}, id, ${fromNo} from unnest(${sql.param(employeeIds)}::int[]) as started (id)`);
}

/** An employee's name of 1–120 and role of 1–60 characters, and perhaps the company's number of them, of 1–40. */
export type EmployeeDetails = { name: string; role: string; staffNumber?: string | null };

type InsertedEmployee = Required<EmployeeDetails> & { employeeId: number };

/** Inserts active employees in the order of `people`, whose details were checked. `accountId`: of the only one. */
export async function insertEmployees(
  tx: PersonTransaction,
  manager: Manager,
  people: EmployeeDetails[],
  { accountId = null, requestId }: { accountId?: number | null; requestId?: string } = {},
): Promise<InsertedEmployee[]> {
  const { companyId } = manager;
  const fromNo = await changeActiveCount(tx, manager, people.length);
  const rows = people.map(({ name, role, staffNumber = null }, place) => ({ place, name, role, staffNumber }));
  // As text, for the same reason.
  const inserted = await db(tx).execute<InsertedEmployee>(sql`
    with added as (
      insert into employees (company_id, name, role, staff_number, account_id)
      select ${companyId}, name, role, "staffNumber", ${accountId}::int
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as p (place int, name text, role text, "staffNumber" text)
      order by place
      returning id, name, role, staff_number
    ), begun as (
      insert into employment (company_id, employee_id, from_no) select ${companyId}, id, ${fromNo}::bigint from added
    )
    select id as "employeeId", name, role, staff_number as "staffNumber" from added order by id`);
  const details = inserted.map(({ staffNumber, ...person }) => ({ ...person, ...(staffNumber && { staffNumber }) }));
  await recordAudit(tx, manager, 'employee.add', details, requestId);
  return inserted;
}
