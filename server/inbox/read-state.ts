import { asFragment, type Fragment, inTransaction, requireRow, sql, type Transaction } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { recordAudit } from '#server/audit/record.ts';
import { isReceivedBy, stillCounts } from '#server/notifications/audience.ts';
import type { Employee, Session } from '#server/principals.ts';

/** A query of `company_id` and `no`: those of `numbers` that are in the employee's inbox. */
export const selectFromInbox = (employee: Employee, numbers: number[] | Fragment) => sql()`
  select n.company_id, n.no from notifications n
  where n.company_id = ${employee.companyId} and n.no = any(${numbers}::bigint[]) and ${asFragment(stillCounts)}
    and ${asFragment(isReceivedBy(employee.employeeId))}`;

/**
 * Marks one notification read or unread. One that came back from a snooze takes its old place when
 * it is marked read. One in the archive returns to the inbox when it is marked unread.
 */
export async function markRead(employee: Employee, no: number, read: boolean): Promise<'marked' | 'not-in-inbox'> {
  const rows = await sql()`
    insert into receipts as old (company_id, employee_id, no, read_at, unread_at)
    select company_id, ${employee.employeeId}, no,
      case when ${read} then now() end, case when not ${read} then now() end
    from (${selectFromInbox(employee, [no])}) mine
    on conflict (company_id, employee_id, no) do update set
      read_at = case when ${read} then coalesce(old.read_at, now()) else old.read_at end,
      unread_at = excluded.unread_at,
      archived_at = case when ${read} then old.archived_at end,
      snoozed_until = case when not ${read} or old.snoozed_until > now() then old.snoozed_until end
    returning 1`;
  return rows.length > 0 ? 'marked' : 'not-in-inbox';
}

/**
 * What `markAllRead` changed, for `undoMarkAllRead`: the watermark before and after, the numbers
 * that were marked unread again before, and those that had come back from a snooze.
 */
export type MarkedAll = { before: number; upTo: number; reopened: number[]; back: number[] };

/** The most numbers of `MarkedAll.reopened` and of `back`; more are not restored. */
const maxReopened = 1000;

/**
 * Marks everything up to number `upTo` read. The caller passes the newest number that the person
 * saw, so that later ones stay unread. Moves the person's watermark; only `undoMarkAllRead` moves
 * it back. What is snoozed and was never read stays unread.
 */
export async function markAllRead(employee: Employee, upTo: number): Promise<MarkedAll> {
  const { companyId, employeeId } = employee;
  return inTransaction(async (tx) => {
    const row = await requireRow(tx<{ before: Rows['employees']['readUpTo']; upTo: Rows['employees']['readUpTo'] }[]>`
      update employees e set read_up_to = greatest(e.read_up_to, least(${upTo}, c.last_no))
      from companies c, employees old
      where c.id = e.company_id and e.company_id = ${companyId} and e.id = ${employeeId}
        and old.company_id = e.company_id and old.id = e.id
      returning old.read_up_to as before, e.read_up_to as "upTo"`);
    const back = await tx<{ no: Rows['receipts']['no']; wasRead: boolean }[]>`
      update receipts r set snoozed_until = null, unread_at = null, read_at = coalesce(r.read_at, now())
      from (
        select no, unread_at is null and (read_at is not null or no <= ${row.before}) as was_read from receipts
        where company_id = ${companyId} and employee_id = ${employeeId} and no <= ${upTo} and snoozed_until <= now() for update
      ) old
      where r.company_id = ${companyId} and r.employee_id = ${employeeId} and r.no = old.no
      returning r.no, old.was_read as "wasRead"`;
    await tx`
      update receipts set unread_at = now()
      where company_id = ${companyId} and employee_id = ${employeeId} and no <= ${upTo} and snoozed_until > now() and no > ${row.before} and read_at is null and unread_at is null`;
    const reopened = await tx<Pick<Rows['receipts'], 'no'>[]>`
      update receipts set unread_at = null, read_at = coalesce(read_at, now())
      where company_id = ${companyId} and employee_id = ${employeeId} and no <= ${upTo} and unread_at is not null and snoozed_until is null
      returning no`;
    // The time of reading for the owner's lists: rows below the watermark have no receipt.
    if (row.before < row.upTo)
      await tx`
        insert into read_marks (company_id, employee_id, up_to) values (${companyId}, ${employeeId}, ${row.upTo})
        on conflict do nothing`;
    const first = (rows: { no: number }[]) => rows.map(({ no }) => no).slice(0, maxReopened);
    return { ...row, reopened: first([...back.filter(({ wasRead }) => !wasRead), ...reopened]), back: first(back) };
  });
}

/**
 * Takes a `markAllRead` back. Returns false, without a change, when the watermark was moved again
 * since. What was marked read on its own stays read.
 */
export async function undoMarkAllRead(
  employee: Employee,
  { before, upTo, reopened, back }: MarkedAll,
): Promise<boolean> {
  const { companyId, employeeId } = employee;
  return inTransaction(async (tx) => {
    const undone = await tx`
      update employees set read_up_to = ${before}, settled_up_to = least(settled_up_to, ${before})
      where company_id = ${companyId} and id = ${employeeId} and read_up_to = ${upTo} and ${before}::bigint <= read_up_to
      returning 1`;
    if (undone.length === 0) return false;
    // What was archived meanwhile stays read.
    await tx`
      update receipts set read_at = now()
      where company_id = ${companyId} and employee_id = ${employeeId} and no > ${before} and no <= ${upTo}
        and archived_at is not null and unread_at is null and read_at is null`;
    if (before < upTo)
      await tx`delete from read_marks
        where company_id = ${companyId} and employee_id = ${employeeId} and up_to = ${upTo}`;
    await tx`
      update receipts set unread_at = now()
      where company_id = ${companyId} and employee_id = ${employeeId}
        and no = any(${reopened.slice(0, maxReopened)}::bigint[])`;
    await tx`
      update receipts set snoozed_until = now()
      where company_id = ${companyId} and employee_id = ${employeeId} and archived_at is null and snoozed_until is null
        and no = any(${back.slice(0, maxReopened)}::bigint[])`;
    return true;
  });
}

/** Records which notifications were shown to the person; skips those not in their inbox. */
export async function recordShown(employee: Employee, numbers: number[]): Promise<void> {
  if (numbers.length === 0) return;
  await sql()`
    insert into receipts as old (company_id, employee_id, no, shown_at)
    select company_id, ${employee.employeeId}, no, now() from (${selectFromInbox(employee, numbers)}) mine
    on conflict (company_id, employee_id, no) do update set shown_at = coalesce(old.shown_at, now())`;
}

type Confirmation = { confirmedAt: NonNullable<Rows['receipts']['confirmedAt']> };

/**
 * Confirms that the signed-in employee read and understood a notification that requires it. Also
 * marks the notification and its reminders read, and ends their snooze. A confirmation is final: a
 * second call changes nothing and returns the time of the first. `'nothing-to-confirm'` when it is
 * not in their inbox or requires nothing.
 */
export async function confirmNotification(
  { account, employee }: Session & { employee: Employee },
  no: number,
): Promise<Confirmation | 'nothing-to-confirm'> {
  const { companyId, employeeId } = employee;
  return inTransaction(async (tx) => {
    // `remind` locks the same row, so a reminder counts exactly who has not confirmed.
    const [original] = await tx<{ title: string }[]>`
      select title from notifications
      where company_id = ${companyId} and no = ${no} and must_confirm and withdrawn_at is null
        and exists (${selectFromInbox(employee, [no])})
      for share`;
    if (!original) return 'nothing-to-confirm';
    const [confirmed] = await tx<Confirmation[]>`
      insert into receipts as old (company_id, employee_id, no, read_at, confirmed_at)
      values (${companyId}, ${employeeId}, ${no}, now(), clock_timestamp())
      on conflict (company_id, employee_id, no) do update set confirmed_at = excluded.confirmed_at,
        read_at = coalesce(old.read_at, now()), unread_at = null, snoozed_until = null
        where old.confirmed_at is null
      returning confirmed_at as "confirmedAt"`;
    if (!confirmed)
      return requireRow(tx<Confirmation[]>`
        select confirmed_at as "confirmedAt" from receipts
        where company_id = ${companyId} and employee_id = ${employeeId} and no = ${no}`);
    await recordAudit(tx, account, 'notification.confirm', { no, title: original.title, employeeId });
    await markRemindersRead(tx, employee, no);
    return confirmed;
  });
}

async function markRemindersRead(tx: Transaction, employee: Employee, no: number): Promise<void> {
  const reminders = sql()`array(
    select no from notifications where company_id = ${employee.companyId} and reminds_no = ${no})`;
  await tx`
    insert into receipts as old (company_id, employee_id, no, read_at)
    select company_id, ${employee.employeeId}, no, now() from (${selectFromInbox(employee, reminders)}) mine
    on conflict (company_id, employee_id, no) do update set read_at = coalesce(old.read_at, now()), unread_at = null,
      snoozed_until = null`;
}
