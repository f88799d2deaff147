import { sql as expression } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

type Row = { no: number; title: string; recipientId: number | null; withdrawnNo: number };

/**
 * Withdraws a notification and the reminders of it: gone from inboxes, counts, feed and devices that were not told yet, and from
 * portals that are open; it stays listed as withdrawn. It takes a number of the company like a send, so open portals hear of it
 * by the same way. Twice, or one of another company, is `'no-such-notification'`.
 */
export async function withdrawNotification(owner: Owner, no: number): Promise<'withdrawn' | 'no-such-notification'> {
  const { companyId } = owner;
  return db().transaction(async (transaction) => {
    // In a statement of its own: what follows must see a reminder that was made while this one waited.
    await lockCompanyRow(transaction, owner);
    const rows = await transaction.execute<Row>(expression`
      with company as (
        update companies set last_no = last_no + 1
        where id = ${companyId} and exists (
          select from notifications where company_id = ${companyId} and no = ${no} and withdrawn_at is null)
        returning last_no
      )
      update notifications n set withdrawn_at = now(), withdrawn_no = company.last_no from company
      where n.company_id = ${companyId} and (n.no = ${no} or n.reminds_no = ${no}) and n.withdrawn_at is null
      returning n.no, n.title, n.recipient_id as "recipientId", n.withdrawn_no as "withdrawnNo"`);
    const original = rows.find((row) => Number(row.no) === no);
    if (!original) return 'no-such-notification';
    const details = { no, title: original.title, employeeId: original.recipientId ?? undefined };
    await recordAudit(transaction, owner, 'notification.withdraw', details);
    await transaction.execute(expression`
      select pg_notify('notifications', json_build_array(${companyId}::int, ${original.withdrawnNo}::bigint)::text)
      where pg_notification_queue_usage() < 0.9`);
    return 'withdrawn';
  });
}
