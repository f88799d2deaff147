import { type Fragment, requireRow, sql } from '#db/client.ts';
import type { PersonTransaction } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { recordAudits } from '#server/audit/record.ts';
import type { Manager } from '#server/principals.ts';

/**
 * The condition that the account `a` of an employee, null without an account, is an owner's or a
 * manager's. Such an account gets its passwords from an owner, never by an employee's invitation.
 */
export const isOfManagement = (): Fragment => sql()`coalesce(a.is_owner or a.is_manager, false)`;

/**
 * The condition that a manager may not change the employee with the account `a`: the employee is an
 * owner or another manager. An owner may change everybody.
 */
export const isProtectedFrom = ({ kind, accountId }: Manager): Fragment =>
  kind === 'owner' ? sql()`false` : sql()`(${isOfManagement()} and a.id <> ${accountId})`;

/** An employee; `accountId` and `username` are null without an account. */
export type LockedEmployee = Pick<Rows['employees'], 'name' | 'role' | 'accountId'> & {
  employeeId: Rows['employees']['id'];
  username: Rows['accounts']['username'] | null;
};

/** Locks those of these employees who are active, no owners and no managers, and meet the condition. */
export const lockEmployees = (
  tx: PersonTransaction,
  { companyId }: Manager,
  ids: number[],
  condition: Fragment = sql()`true`,
): PromiseLike<LockedEmployee[]> => tx<LockedEmployee[]>`
  select e.id as "employeeId", e.name, e.role, e.account_id as "accountId", a.username
  from employees e left join accounts a on a.company_id = e.company_id and a.id = e.account_id
  where e.company_id = ${companyId} and e.active and not ${isOfManagement()}
    and e.id = any(${ids}::int[]) and ${condition}
  order by e.id for update of e`;

/**
 * Locks the company's row and adds `change` to its count of active employees. Call it first in
 * every transaction that changes who is active. Returns the number of the last notification: the
 * periods in which employees receive broadcasts begin and end there.
 */
export async function changeActiveCount(
  tx: PersonTransaction,
  { companyId }: Manager,
  change: number,
): Promise<number> {
  const company = await requireRow(tx<Pick<Rows['companies'], 'lastNo'>[]>`
    update companies set active_employees = active_employees + ${change}
    where id = ${companyId} returning last_no as "lastNo"`);
  return company.lastNo;
}

export async function beginEmployment(
  tx: PersonTransaction,
  { companyId }: Manager,
  employeeIds: number[],
  fromNo: number,
): Promise<void> {
  await tx`
    insert into employment (company_id, employee_id, from_no)
    select ${companyId}, id, ${fromNo} from unnest(${employeeIds}::int[]) as started (id)`;
}

export async function endEmployment(
  tx: PersonTransaction,
  { companyId }: Manager,
  employeeIds: number[],
  untilNo: number,
): Promise<void> {
  await tx`
    update employment set until_no = ${untilNo}
    where company_id = ${companyId} and employee_id = any(${employeeIds}::int[]) and until_no is null`;
}

/**
 * What is entered for an employee: a name of 1–120 and a role of 1–60 characters, and perhaps the
 * company's own number of the person, of 1–40 characters.
 */
export type EmployeeDetails = { name: string; role: string; staffNumber?: string | null };

type InsertedEmployee = Pick<Rows['employees'], 'name' | 'role' | 'staffNumber'> & {
  employeeId: Rows['employees']['id'];
};

/**
 * Inserts active employees in the order of `people`, whose details the caller checked, with an audit
 * entry for each. They receive what is sent from now on. `accountId`: one person's account.
 */
export async function insertEmployees(
  tx: PersonTransaction,
  manager: Manager,
  people: EmployeeDetails[],
  { accountId = null, requestId }: { accountId?: number | null; requestId?: string } = {},
): Promise<InsertedEmployee[]> {
  const { companyId } = manager;
  const fromNo = await changeActiveCount(tx, manager, people.length);
  const rows = people.map(({ name, role, staffNumber = null }, place) => ({ place, name, role, staffNumber }));
  const inserted = await tx<InsertedEmployee[]>`
    with added as (
      insert into employees (company_id, name, role, staff_number, account_id)
      select ${companyId}, name, role, "staffNumber", ${accountId}::int
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as p (place int, name text, role text, "staffNumber" text)
      order by place
      returning id, name, role, staff_number
    ), begun as (
      insert into employment (company_id, employee_id, from_no) select ${companyId}, id, ${fromNo}::bigint from added
    )
    select id as "employeeId", name, role, staff_number as "staffNumber" from added order by id`;
  const details = inserted.map(({ staffNumber, ...person }) => ({ ...person, ...(staffNumber && { staffNumber }) }));
  await recordAudits(tx, manager, 'employee.add', details, requestId);
  return inserted;
}

type ChangedRole = Pick<Rows['employees'], 'id' | 'name'> & { was: Rows['employees']['role'] };

/**
 * Gives employees of the manager's company a role, to which they receive later sends. The caller
 * writes the audit entries. Returns those whose role changed, by id.
 */
export async function changeRoles(
  tx: PersonTransaction,
  { companyId }: Manager,
  ids: number[],
  role: string,
): Promise<ChangedRole[]> {
  const changed = await tx<ChangedRole[]>`
    update employees e set role = ${role} from employees old
    where e.company_id = ${companyId} and e.id = any(${ids}::int[]) and e.role <> ${role}
      and old.company_id = e.company_id and old.id = e.id
    returning e.id, e.name, old.role as was`;
  return changed.toSorted((employee, other) => employee.id - other.id);
}
