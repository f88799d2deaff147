import { inTransaction } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { announce } from '#db/wake-ups.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

type WithdrawnRow = { no: number; title: string; recipientId: number | null };

/**
 * Withdraws a notification and its reminders: they leave inboxes, counts, feeds, open portals and
 * the queue of pushes. The owner's list shows them as withdrawn. The withdrawal takes a number of
 * the company, so that portals receive it like a send. A second call returns
 * `'no-such-notification'`.
 */
export async function withdrawNotification(owner: Owner, no: number): Promise<'withdrawn' | 'no-such-notification'> {
  const { companyId } = owner;
  const outcome = await inTransaction(async (tx) => {
    // The lock is a separate statement, because the next statement must see reminders that commit
    // during the wait for it.
    await lockCompanyRow(tx, owner);
    const rows = await tx<WithdrawnRow[]>`
      with company as (
        update companies set last_no = last_no + 1
        where id = ${companyId} and exists (
          select from notifications where company_id = ${companyId} and no = ${no} and withdrawn_at is null)
        returning last_no
      )
      update notifications n set withdrawn_at = now(), withdrawn_no = company.last_no from company
      where n.company_id = ${companyId} and (n.no = ${no} or n.reminds_no = ${no}) and n.withdrawn_at is null
      returning n.no, n.title, n.recipient_id as "recipientId"`;
    const original = rows.find((row) => row.no === no);
    if (!original) return 'no-such-notification';
    const { title, recipientId } = original;
    await recordAudit(tx, owner, 'notification.withdraw', { no, title, employeeId: recipientId ?? undefined });
    return 'withdrawn';
  });
  if (outcome === 'withdrawn') announce(companyId);
  return outcome;
}
