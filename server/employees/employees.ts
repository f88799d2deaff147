import { and, eq, sql as expression, isNull } from 'drizzle-orm';
import { type Database, db, sql } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { accounts, companies, employees, employment } from '#db/schema.ts';
import { endAllSessions } from '#server/accounts/accounts.ts';
import { type Actor, recordAudit } from '#server/audit/record.ts';
import type { ApiKey, Owner } from '#server/principals.ts';

/** An employee as a key may see one: nothing but id, name and role. */
export type ListedEmployee = { id: number; name: string; role: string };

/** Every employee of the key's company, active or not, ordered by id (contract §5). */
export async function listEmployeesForKey(key: ApiKey): Promise<ListedEmployee[]> {
  return sql()<ListedEmployee[]>`select id, name, role from employees where company_id = ${key.companyId} order by id`;
}

/**
 * Takes the company's one lock and changes how many are active by `change`; returns the number of the last
 * notification, at which spans open and close. Every change of who is active must come through here first.
 */
export async function lockCompany(
  database: Database,
  { companyId }: { companyId: number },
  change: number,
): Promise<number> {
  const [company] = await database
    .update(companies)
    .set({ activeEmployees: expression`${companies.activeEmployees} + ${change}` })
    .where(eq(companies.id, companyId))
    .returning({ lastNo: companies.lastNo });
  if (!company) throw new Error(`company ${companyId} does not exist`);
  return company.lastNo;
}

/** What an owner says of an employee: a name of 1–120 and a role of 1–60 characters. */
export type EmployeeDetails = { name: string; role: string };

async function insertEmployee(
  database: Database,
  actor: Actor,
  details: EmployeeDetails,
  accountId: number | null,
): Promise<number> {
  const fromNo = await lockCompany(database, actor, 1);
  const [added] = await database
    .insert(employees)
    .values({ companyId: actor.companyId, ...details, accountId })
    .returning({ id: employees.id });
  if (!added) throw new Error('the employee was not inserted');
  await database.insert(employment).values({ companyId: actor.companyId, employeeId: added.id, fromNo });
  await recordAudit(database, actor, 'employee.add', { employeeId: added.id, ...details });
  return added.id;
}

/** Adds an active employee; they receive what is sent from now on. Returns their id. */
export async function addEmployee(owner: Owner, details: EmployeeDetails): Promise<number> {
  return db().transaction((transaction) => insertEmployee(transaction, owner, details, null));
}

/** Adds the owner as an employee of their own company, signed in with the same account. */
export async function addMyself(owner: Owner, role: string): Promise<number | 'already-employee'> {
  return db().transaction(async (transaction) => {
    await lockCompany(transaction, owner, 0);
    const mine = and(eq(employees.companyId, owner.companyId), eq(employees.accountId, owner.accountId));
    const found = await transaction.select({ id: employees.id }).from(employees).where(mine);
    if (found.length > 0) return 'already-employee';
    return insertEmployee(transaction, owner, { name: owner.name, role }, owner.accountId);
  });
}

/** Changes an employee's name and role. Another company's employee is `'no-such-employee'`. */
export async function editEmployee(
  owner: Owner,
  id: number,
  details: EmployeeDetails,
): Promise<'edited' | 'no-such-employee'> {
  return db().transaction(async (transaction) => {
    const one = and(eq(employees.companyId, owner.companyId), eq(employees.id, id));
    const [before] = await transaction.select().from(employees).where(one).for('update');
    if (!before) return 'no-such-employee';
    await transaction.update(employees).set(details).where(one);
    const was = { name: before.name, role: before.role };
    await recordAudit(transaction, owner, 'employee.edit', { employeeId: id, ...details, was });
    return 'edited';
  });
}

/**
 * Activates or deactivates an employee. An inactive one receives nothing, is signed out for good (activating again
 * brings no session and no device back) and cannot sign in; what they received before stays theirs. Nothing changes when they already are as asked.
 */
export async function setEmployeeActive(
  owner: Owner,
  id: number,
  active: boolean,
): Promise<'changed' | 'unchanged' | 'no-such-employee'> {
  return db().transaction(async (transaction) => {
    await announceAccessChange(transaction, owner);
    const one = and(eq(employees.companyId, owner.companyId), eq(employees.id, id));
    const [employee] = await transaction.select().from(employees).where(one);
    if (!employee) return 'no-such-employee';
    if (employee.active === active) return 'unchanged';
    const lastNo = await lockCompany(transaction, owner, active ? 1 : -1);
    await transaction.update(employees).set({ active }).where(one);
    await (active ? openSpan(transaction, owner, id, lastNo) : closeSpan(transaction, owner, id, lastNo));
    if (!active && employee.accountId !== null && employee.accountId !== owner.accountId)
      await endAccess(transaction, { companyId: owner.companyId, accountId: employee.accountId });
    const action = active ? 'employee.activate' : 'employee.deactivate';
    await recordAudit(transaction, owner, action, { employeeId: id, name: employee.name });
    return 'changed';
  });
}

// A device belongs to the version of its session: with another one it is told nothing any more.
async function endAccess(database: Database, account: { companyId: number; accountId: number }): Promise<void> {
  await endAllSessions(database, account);
  await database
    .update(accounts)
    .set({ sessionVersion: expression`${accounts.sessionVersion} + 1` })
    .where(
      and(eq(accounts.companyId, account.companyId), eq(accounts.id, account.accountId), eq(accounts.isOwner, false)),
    );
}

async function openSpan(database: Database, owner: Owner, employeeId: number, fromNo: number): Promise<void> {
  await database.insert(employment).values({ companyId: owner.companyId, employeeId, fromNo });
}

async function closeSpan(database: Database, owner: Owner, employeeId: number, untilNo: number): Promise<void> {
  const open = and(
    eq(employment.companyId, owner.companyId),
    eq(employment.employeeId, employeeId),
    isNull(employment.untilNo),
  );
  await database.update(employment).set({ untilNo }).where(open);
}

/**
 * Signs an employee out wherever they are signed in, at once, and ends their devices' notifications; the password stays. What
 * an owner's own account has open is ended in their settings instead.
 */
export async function signOutEmployee(
  owner: Owner,
  id: number,
): Promise<'signed-out' | 'no-such-employee' | 'no-account' | 'is-owner'> {
  return db().transaction(async (transaction) => {
    await announceAccessChange(transaction, owner);
    const [employee] = await transaction
      .select({ name: employees.name, accountId: employees.accountId, isOwner: accounts.isOwner })
      .from(employees)
      .leftJoin(accounts, and(eq(accounts.companyId, employees.companyId), eq(accounts.id, employees.accountId)))
      .where(and(eq(employees.companyId, owner.companyId), eq(employees.id, id)));
    if (!employee) return 'no-such-employee';
    if (employee.accountId === null) return 'no-account';
    if (employee.isOwner) return 'is-owner';
    const account = { companyId: owner.companyId, accountId: employee.accountId };
    await endAccess(transaction, account);
    await recordAudit(transaction, owner, 'employee.sign-out', { employeeId: id, name: employee.name });
    return 'signed-out';
  });
}
