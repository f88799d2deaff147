import type { Transaction } from '#db/client.ts';
import { changeActiveCount, type EmployeeDetails } from '#server/employees/employees.ts';
import type { Manager } from '#server/principals.ts';

/** An employee that was inserted. */
export type InsertedEmployee = { employeeId: number; name: string; role: string; staffNumber: string | null };

/**
 * Inserts active employees in the order of `people`, whose details the caller checked. They receive
 * what is sent from now on. The caller writes the audit entries.
 */
export async function insertEmployees(
  tx: Transaction,
  manager: Manager,
  people: EmployeeDetails[],
): Promise<InsertedEmployee[]> {
  const { companyId } = manager;
  const fromNo = await changeActiveCount(tx, manager, people.length);
  const rows = people.map(({ name, role, staffNumber = null }, place) => ({ place, name, role, staffNumber }));
  return tx<InsertedEmployee[]>`
    with added as (
      insert into employees (company_id, name, role, staff_number)
      select ${companyId}, name, role, "staffNumber"
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as p (place int, name text, role text, "staffNumber" text)
      order by place
      returning id, name, role, staff_number
    ), spans as (
      insert into employment (company_id, employee_id, from_no) select ${companyId}, id, ${fromNo}::bigint from added
    )
    select id as "employeeId", name, role, staff_number as "staffNumber" from added order by id`;
}
