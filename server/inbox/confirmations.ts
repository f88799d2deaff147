import { sql as expression } from 'drizzle-orm';
import { db, sql } from '#db/client.ts';
import { recordAudit } from '#server/audit/record.ts';
import { selectMine } from '#server/inbox/read-state.ts';
import type { Employee, Session } from '#server/principals.ts';

type Confirmed = { title: string; confirmedAt: Date; already: boolean };

/**
 * Confirms that the signed-in employee has read and understood a notification that demands it; that also marks it, and the
 * reminders of it, read. It cannot be taken back, and confirming again changes nothing: it answers when it was confirmed.
 * `'nothing-to-confirm'` when it is not in their inbox or demands nothing.
 */
export async function confirmNotification(
  session: Session & { employee: Employee },
  no: number,
): Promise<{ confirmedAt: Date } | 'nothing-to-confirm'> {
  const { account, employee } = session;
  const { companyId, employeeId } = employee;
  const mine = await selectMine(employee, [no]);
  if (mine.length === 0) return 'nothing-to-confirm';
  const confirmed = await db().transaction(async (transaction) => {
    // Reminding and withdrawing wait for this lock, and this waits for them: who is reminded is exact.
    const [original] = await transaction.execute<{ title: string }>(expression`
      select title from notifications
      where company_id = ${companyId} and no = ${no} and must_confirm and withdrawn_at is null for share`);
    if (!original) return 'nothing-to-confirm';
    const [kept] = await transaction.execute<{ at: Date }>(expression`
      insert into receipts as old (company_id, employee_id, no, read_at, confirmed_at)
      values (${companyId}, ${employeeId}, ${no}, now(), clock_timestamp())
      on conflict (company_id, employee_id, no) do update set confirmed_at = excluded.confirmed_at,
        read_at = coalesce(old.read_at, now()), unread_at = null
        where old.confirmed_at is null
      returning confirmed_at as at`);
    if (kept) {
      await recordAudit(transaction, account, 'notification.confirm', { no, title: original.title, employeeId });
      return { title: original.title, confirmedAt: kept.at, already: false } satisfies Confirmed;
    }
    const [before] = await transaction.execute<{ at: Date }>(expression`
      select confirmed_at as at from receipts
      where company_id = ${companyId} and employee_id = ${employeeId} and no = ${no}`);
    if (!before) throw new Error('the confirmation is nowhere');
    return { title: original.title, confirmedAt: before.at, already: true } satisfies Confirmed;
  });
  if (typeof confirmed === 'string') return confirmed;
  if (!confirmed.already) await markRemindersRead(employee, no);
  return { confirmedAt: confirmed.confirmedAt };
}

async function markRemindersRead(employee: Employee, no: number): Promise<void> {
  const reminders = await sql()<{ no: number }[]>`
    select no from notifications where company_id = ${employee.companyId} and reminds_no = ${no}`;
  const numbers = reminders.map((reminder) => reminder.no);
  if (numbers.length === 0) return;
  await sql()`
    insert into receipts as old (company_id, employee_id, no, read_at)
    select company_id, ${employee.employeeId}, no, now() from (${selectMine(employee, numbers)}) mine
    on conflict (company_id, employee_id, no) do update set read_at = coalesce(old.read_at, now()), unread_at = null`;
}
