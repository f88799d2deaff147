import { byId, db, matches, requireRow } from '#db/client.ts';
import { and, eq, ne, not, type SQL, sql } from '#db/drizzle.cjs';
import type { PersonTransaction } from '#db/person-transaction.ts';
import { accounts, companies, employees, employment } from '#db/schema/tables.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Manager } from '#server/principals.ts';

/** Whether the joined account of an employee is an owner's or manager's, whose passwords come from an owner only. */
export const isOfManagement = sql<boolean>`coalesce(${accounts.isOwner} or ${accounts.isManager}, false)`;

/** Whether a manager may not change the employee with the joined account: an owner or another manager. */
export const isProtectedFrom = ({ kind, accountId }: Manager): SQL<boolean> =>
  kind === 'owner' ? sql`false` : sql`(${isOfManagement} and ${ne(accounts.id, accountId)})`;

/** An employee; `accountId` and `username` are null without an account. */
export type LockedEmployee = Awaited<ReturnType<typeof lockEmployees>>[number];

/** Locks those of these employees who are active, no owners and no managers, and meet the condition. */
export const lockEmployees = (tx: PersonTransaction, { companyId }: Manager, ids: number[], condition?: SQL) =>
  db(tx)
    .select({
      employeeId: employees.id,
      name: employees.name,
      role: employees.role,
      accountId: employees.accountId,
      username: accounts.username,
    })
    .from(employees)
    .leftJoin(accounts, byId(accounts, employees, employees.accountId))
    .where(and(matches(employees, { companyId, id: ids }), employees.active, not(isOfManagement), condition))
    .orderBy(employees.id)
    .for('update', { of: employees });

/**
 * Locks the company's row and changes its count of active employees; first in every transaction that changes who is
 * active. Returns the last number, where employment periods begin and end.
 */
export async function changeActiveCount(tx: PersonTransaction, { companyId }: Manager, change: number) {
  const activeEmployees = sql`${companies.activeEmployees} + ${change}`;
  const changing = db(tx).update(companies).set({ activeEmployees }).where(eq(companies.id, companyId));
  return (await requireRow(changing.returning({ lastNo: companies.lastNo }))).lastNo;
}

export async function beginEmployment(
  tx: PersonTransaction,
  { companyId }: Manager,
  employeeIds: number[],
  fromNo: number,
): Promise<void> {
  // As text: the builder has no list of rows whose text is the same for each number of them.
  await db(tx).execute(sql`
    insert into employment (company_id, employee_id, from_no)
    select ${companyId}, id, ${fromNo} from unnest(${sql.param(employeeIds)}::int[]) as started (id)`);
}

export async function endEmployment(
  tx: PersonTransaction,
  { companyId }: Manager,
  employeeIds: number[],
  untilNo: number,
): Promise<void> {
  const current = matches(employment, { companyId, employeeId: employeeIds, untilNo: null });
  await db(tx).update(employment).set({ untilNo }).where(current);
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
