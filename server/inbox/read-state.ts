import { sql } from '#db/client.ts';
import { reminderConcerns, stillCounts } from '#server/notifications/audience.ts';
import type { Employee } from '#server/principals.ts';

/** Those of these notifications that are in this employee's inbox, as a SQL query of `company_id` and `no`. */
export const selectMine = (employee: Employee, numbers: number[]) => sql()`
  select n.company_id, n.no from notifications n
  where n.company_id = ${employee.companyId} and n.no = any(${numbers}::bigint[]) and ${stillCounts()}
    and ${reminderConcerns(sql()`${employee.employeeId}::int`)} and (
    n.recipient_id = ${employee.employeeId} or n.recipient_id is null and exists (
      select from employment s
      where s.company_id = n.company_id and s.employee_id = ${employee.employeeId}
        and s.from_no < n.no and n.no <= coalesce(s.until_no, n.no)))`;

/** Marks one notification read, or unread again. One that is not theirs is `'not-in-inbox'`. */
export async function markRead(employee: Employee, no: number, read: boolean): Promise<'marked' | 'not-in-inbox'> {
  const rows = await sql()`
    insert into receipts as old (company_id, employee_id, no, read_at, unread_at)
    select company_id, ${employee.employeeId}, no,
      case when ${read} then now() end, case when not ${read} then now() end
    from (${selectMine(employee, [no])}) mine
    on conflict (company_id, employee_id, no) do update set
      read_at = case when ${read} then coalesce(old.read_at, now()) else old.read_at end,
      unread_at = excluded.unread_at
    returning 1`;
  return rows.length > 0 ? 'marked' : 'not-in-inbox';
}

/** What `markAllRead` changed, so that it can be taken back: the watermark before and after, and marks it removed. */
export type MarkedAll = { before: number; upTo: number; reopened: number[] };

const mostReopened = 1000;

/**
 * Marks everything up to number `upTo` read: what the person had seen when they asked, so that what arrives in
 * between stays unread. The watermark never goes back but by `undoMarkAllRead`.
 */
export async function markAllRead(employee: Employee, upTo: number): Promise<MarkedAll> {
  const { companyId, employeeId } = employee;
  return sql().begin(async (transaction) => {
    const [row] = await transaction<{ before: number; upTo: number }[]>`
      update employees e set read_up_to = greatest(e.read_up_to, least(${upTo}, c.last_no))
      from companies c, employees old
      where c.id = e.company_id and e.company_id = ${companyId} and e.id = ${employeeId}
        and old.company_id = e.company_id and old.id = e.id
      returning old.read_up_to as before, e.read_up_to as "upTo"`;
    const reopened = await transaction<{ no: number }[]>`
      update receipts set unread_at = null, read_at = coalesce(read_at, now())
      where company_id = ${companyId} and employee_id = ${employeeId} and no <= ${upTo} and unread_at is not null
      returning no`;
    // When they were read, for whoever has to show it: what is below the watermark has no receipt of its own.
    if (row && row.before < row.upTo)
      await transaction`
        insert into read_marks (company_id, employee_id, up_to) values (${companyId}, ${employeeId}, ${row.upTo})
        on conflict do nothing`;
    return {
      before: row?.before ?? 0,
      upTo: row?.upTo ?? 0,
      reopened: reopened.map(({ no }) => no).slice(0, mostReopened),
    };
  });
}

/** Takes a `markAllRead` back, unless the watermark was moved again since. What was read one by one stays read. */
export async function undoMarkAllRead(employee: Employee, { before, upTo, reopened }: MarkedAll): Promise<boolean> {
  const { companyId, employeeId } = employee;
  return sql().begin(async (transaction) => {
    const undone = await transaction`
      update employees set read_up_to = ${before}
      where company_id = ${companyId} and id = ${employeeId} and read_up_to = ${upTo} and ${before}::bigint <= read_up_to
      returning 1`;
    if (undone.length === 0) return false;
    if (before < upTo)
      await transaction`delete from read_marks
        where company_id = ${companyId} and employee_id = ${employeeId} and up_to = ${upTo}`;
    await transaction`
      update receipts set unread_at = now()
      where company_id = ${companyId} and employee_id = ${employeeId} and no = any(${reopened.slice(0, mostReopened)}::bigint[])`;
    return true;
  });
}

/** Notes that these notifications were shown to the person; those that are not theirs are passed over. */
export async function noteShown(employee: Employee, numbers: number[]): Promise<void> {
  if (numbers.length === 0) return;
  await sql()`
    insert into receipts as old (company_id, employee_id, no, shown_at)
    select company_id, ${employee.employeeId}, no, now() from (${selectMine(employee, numbers)}) mine
    on conflict (company_id, employee_id, no) do update set shown_at = coalesce(old.shown_at, now())`;
}
