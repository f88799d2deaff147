import { inTransaction, type Transaction } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { recordAudit } from '#server/audit/record.ts';
import { selectFromInbox } from '#server/inbox/read-state.ts';
import type { Employee, Session } from '#server/principals.ts';

/**
 * Confirms that the signed-in employee read and understood a notification that requires it. Also
 * marks the notification and its reminders read, and ends their snooze. A confirmation is final: a
 * second call changes nothing and returns the time of the first. `'nothing-to-confirm'` when it is
 * not in their inbox or requires nothing.
 */
export async function confirmNotification(
  { account, employee }: Session & { employee: Employee },
  no: number,
): Promise<{ confirmedAt: Date } | 'nothing-to-confirm'> {
  const { companyId, employeeId } = employee;
  return inTransaction(async (tx) => {
    // `remind` and `withdrawNotification` lock the same row, so a reminder counts exactly who has
    // not confirmed.
    const [original] = await tx<{ title: string }[]>`
      select title from notifications
      where company_id = ${companyId} and no = ${no} and must_confirm and withdrawn_at is null
        and exists (${selectFromInbox(employee, [no])})
      for share`;
    if (!original) return 'nothing-to-confirm';
    const [confirmed] = await tx<{ confirmedAt: NonNullable<Rows['receipts']['confirmedAt']> }[]>`
      insert into receipts as old (company_id, employee_id, no, read_at, confirmed_at)
      values (${companyId}, ${employeeId}, ${no}, now(), clock_timestamp())
      on conflict (company_id, employee_id, no) do update set confirmed_at = excluded.confirmed_at,
        read_at = coalesce(old.read_at, now()), unread_at = null, snoozed_until = null
        where old.confirmed_at is null
      returning confirmed_at as "confirmedAt"`;
    if (!confirmed) return findConfirmation(tx, employee, no);
    await recordAudit(tx, account, 'notification.confirm', { no, title: original.title, employeeId });
    await markRemindersRead(tx, employee, no);
    return confirmed;
  });
}

async function findConfirmation(tx: Transaction, employee: Employee, no: number): Promise<{ confirmedAt: Date }> {
  const [confirmation] = await tx<{ confirmedAt: NonNullable<Rows['receipts']['confirmedAt']> }[]>`
    select confirmed_at as "confirmedAt" from receipts
    where company_id = ${employee.companyId} and employee_id = ${employee.employeeId} and no = ${no}`;
  if (!confirmation) throw new Error(`notification ${no} has no confirmation`);
  return confirmation;
}

async function markRemindersRead(tx: Transaction, employee: Employee, no: number): Promise<void> {
  const reminders = await tx<Pick<Rows['notifications'], 'no'>[]>`
    select no from notifications where company_id = ${employee.companyId} and reminds_no = ${no}`;
  if (reminders.length === 0) return;
  const numbers = reminders.map((reminder) => reminder.no);
  await tx`
    insert into receipts as old (company_id, employee_id, no, read_at)
    select company_id, ${employee.employeeId}, no, now() from (${selectFromInbox(employee, numbers)}) mine
    on conflict (company_id, employee_id, no) do update set read_at = coalesce(old.read_at, now()), unread_at = null,
      snoozed_until = null`;
}
