import { inTransaction, sql } from '#db/client.ts';
import { selectFromInbox } from '#server/inbox/read-state.ts';
import type { Employee } from '#server/principals.ts';

/** What the person saw before a move: whether it was unread, and whether it was back from a snooze. */
export type BeforeMove = { unread: boolean; back: boolean };

/** A condition over `notifications n`: this person must still confirm it, or its original. */
const waits = ({ companyId, employeeId }: Employee) => sql()`(
  (n.must_confirm or n.reminds_no is not null) and not exists (
    select from receipts done where done.company_id = ${companyId} and done.employee_id = ${employeeId}
      and done.no = coalesce(n.reminds_no, n.no) and done.confirmed_at is not null))`;

/** Moves a notification of the inbox to the archive and marks it read, unless it must still be confirmed. */
export async function archive(employee: Employee, no: number): Promise<BeforeMove | 'to-confirm' | 'not-in-inbox'> {
  const { companyId, employeeId } = employee;
  return inTransaction(async (tx) => {
    const [row] = await tx<(BeforeMove & { waits: boolean })[]>`
      select ${waits(employee)} as waits, coalesce(r.snoozed_until <= now(), false) as back,
        not (r.unread_at is null and (r.read_at is not null or n.no <= e.read_up_to)) as unread
      from (${selectFromInbox(employee, [no])}) mine
      join notifications n on n.company_id = mine.company_id and n.no = mine.no
      join employees e on e.company_id = ${companyId} and e.id = ${employeeId}
      left join receipts r on r.company_id = ${companyId} and r.employee_id = ${employeeId} and r.no = n.no`;
    if (!row) return 'not-in-inbox';
    if (row.waits) return 'to-confirm';
    // What was read keeps the time at which it was read.
    await tx`
      insert into receipts as old (company_id, employee_id, no, read_at, archived_at)
      select ${companyId}, ${employeeId}, ${no}::bigint, case when ${no}::bigint > e.read_up_to then now() end, now()
      from employees e where e.company_id = ${companyId} and e.id = ${employeeId}
      on conflict (company_id, employee_id, no) do update set archived_at = excluded.archived_at,
        read_at = coalesce(old.read_at, excluded.read_at), unread_at = null, snoozed_until = null`;
    return { unread: row.unread, back: row.back };
  });
}

/**
 * Moves one notification from the archive, or before its snooze ends, back to its place in the
 * inbox. `before` takes a move back: it is unread again, or on top as after a snooze.
 */
export async function returnToInbox(
  { companyId, employeeId }: Employee,
  no: number,
  { unread, back }: BeforeMove,
): Promise<'returned' | 'not-away'> {
  // What was never read gets an `unread_at`, because a count may have settled above it meanwhile.
  const rows = await sql()`
    update receipts r set archived_at = null,
      read_at = case when ${unread} and r.read_at = r.archived_at then null else r.read_at end,
      unread_at = case when ${unread} then now()
        when r.snoozed_until is not null and r.read_at is null and r.no > e.read_up_to
          then coalesce(r.unread_at, now())
        else r.unread_at end,
      snoozed_until = case when ${back} then now() end
    from employees e
    where r.company_id = ${companyId} and r.employee_id = ${employeeId} and r.no = ${no}
      and (r.archived_at is not null and r.unread_at is null or r.snoozed_until is not null)
      and e.company_id = r.company_id and e.id = r.employee_id
    returning 1`;
  return rows.length > 0 ? 'returned' : 'not-away';
}
