import { and, eq, sql as expression, isNull } from 'drizzle-orm';
import { type Database, db, sql } from '#db/client.ts';
import { companies, employees, employment } from '#db/schema.ts';
import { noteAccessChange } from '#server/access.ts';
import { type Actor, recordAudit } from '#server/audit.ts';
import type { SoundState } from '#server/feed/visits.ts';
import type { ApiKey } from '#server/keys.ts';
import type { Owner } from '#server/session.ts';

/** An employee as a key may see one: nothing but id, name and role. */
export type ListedEmployee = { id: number; name: string; role: string };

/** Every employee of the key's company, active or not, ordered by id (contract §5). */
export async function listEmployeesForKey(key: ApiKey): Promise<ListedEmployee[]> {
  return sql()<ListedEmployee[]>`select id, name, role from employees where company_id = ${key.companyId} order by id`;
}

/** In which state a person's portal was when it was last open. `sound` is what their browser said of itself. */
export type PortalVisit = { seenAt: Date; sound: SoundState | null };

/**
 * An employee as the owner sees one; `username` is null until an invitation was accepted, `portal` until their portal was open
 * for the first time, `devices` counts where they take notifications while it is closed.
 */
export type EmployeeSummary = ListedEmployee & {
  active: boolean;
  username: string | null;
  isOwner: boolean;
  portal: PortalVisit | null;
  devices: number;
};

/** Every employee of the owner's company, ordered by id. */
export async function listEmployees(owner: Owner): Promise<EmployeeSummary[]> {
  const rows = await sql()<(Omit<EmployeeSummary, 'portal'> & { seenAt: Date | null; sound: SoundState | null })[]>`
    select e.id, e.name, e.role, e.active, a.username, coalesce(a.is_owner, false) as "isOwner",
      p.seen_at as "seenAt", p.sound,
      (select count(*)::int from push_subscriptions s
        where s.company_id = e.company_id and s.employee_id = e.id and s.session_version = a.session_version) as devices
    from employees e
    left join accounts a on a.company_id = e.company_id and a.id = e.account_id
    left join lateral (
      select seen_at, sound from portals where company_id = e.company_id and employee_id = e.id
      order by seen_at desc limit 1
    ) p on true
    where e.company_id = ${owner.companyId} order by e.id`;
  return rows.map(({ seenAt, sound, ...row }) => ({ ...row, portal: seenAt && { seenAt, sound } }));
}

/**
 * Takes the company's one lock and changes how many are active by `change`; returns the number of the last
 * notification, at which spans open and close. Every change of who is active must come through here first.
 */
async function lockCompany(database: Database, companyId: number, change: -1 | 0 | 1): Promise<number> {
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
  const fromNo = await lockCompany(database, actor.companyId, 1);
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
    await lockCompany(transaction, owner.companyId, 0);
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
 * Activates or deactivates an employee. An inactive one receives nothing, is signed out at their next request
 * and cannot sign in; what they received before stays theirs. Nothing changes when they already are as asked.
 */
export async function setEmployeeActive(
  owner: Owner,
  id: number,
  active: boolean,
): Promise<'changed' | 'unchanged' | 'no-such-employee'> {
  return db().transaction(async (transaction) => {
    await noteAccessChange(transaction, owner);
    const one = and(eq(employees.companyId, owner.companyId), eq(employees.id, id));
    const [employee] = await transaction.select().from(employees).where(one);
    if (!employee) return 'no-such-employee';
    if (employee.active === active) return 'unchanged';
    const lastNo = await lockCompany(transaction, owner.companyId, active ? 1 : -1);
    await transaction.update(employees).set({ active }).where(one);
    await (active ? openSpan(transaction, owner, id, lastNo) : closeSpan(transaction, owner, id, lastNo));
    const action = active ? 'employee.activate' : 'employee.deactivate';
    await recordAudit(transaction, owner, action, { employeeId: id, name: employee.name });
    return 'changed';
  });
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
