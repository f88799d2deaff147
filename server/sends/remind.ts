import { sql as expression } from 'drizzle-orm';
import { type Database, db } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';

/** The shortest time between two reminders of the same notification, in minutes. */
export const reminderEveryMinutes = 10;

/** A reminder that was sent: its own number, and how many people it is for. */
export type Reminded = { no: number; reach: number };
/** Why there was no reminder; `retryAt` is when the next one may be sent. */
export type NotReminded = 'no-such-notification' | 'nobody-left' | { retryAt: Date };

type Original = { no: number; title: string; recipientId: number | null; recentAt: Date | null };

/**
 * Reminds those who received a notification and have not confirmed it, all of them or one person, by a notification of its own
 * that only they see. `reach` counts them exactly at that moment: active people only. At most one reminder in 10 minutes for
 * each notification; none of what was withdrawn or demands no confirmation (`'no-such-notification'`).
 */
export async function remind(owner: Owner, no: number, employeeId: number | null): Promise<Reminded | NotReminded> {
  const reminded = await db().transaction(async (transaction): Promise<Reminded | NotReminded> => {
    // The company first, as everywhere; the notification too, so that nobody confirms between the count and the reminder.
    await lockCompanyRow(transaction, owner);
    const original = await lockOriginal(transaction, owner, no);
    if (!original) return 'no-such-notification';
    if (original.recentAt) return { retryAt: new Date(original.recentAt.getTime() + reminderEveryMinutes * 60_000) };
    const recipientId = employeeId ?? original.recipientId;
    const waiting = await countWaiting(transaction, owner, no, recipientId);
    if (waiting.reach === 0) return 'nobody-left';
    const made = await insertReminder(transaction, owner, original, recipientId, waiting.reach);
    const details = {
      ...{ no: made, title: original.title, remindsNo: no, reach: waiting.reach, recipientName: waiting.name },
      employeeId: recipientId ?? undefined,
    };
    await recordAudit(transaction, owner, 'notification.remind', details);
    return { no: made, reach: waiting.reach };
  });
  if (typeof reminded === 'object' && 'no' in reminded) pushToDevices(owner, reminded.no);
  return reminded;
}

async function lockOriginal(database: Database, { companyId }: Owner, no: number): Promise<Original | null> {
  const [original] = await database.execute<Original>(expression`
    select no, title, recipient_id as "recipientId", (
      select max(created_at) from notifications
      where company_id = ${companyId} and reminds_no = ${no}
        and created_at > clock_timestamp() - make_interval(mins => ${reminderEveryMinutes})
    ) as "recentAt"
    from notifications
    where company_id = ${companyId} and no = ${no} and must_confirm and withdrawn_at is null and reach > 0
    for no key update`);
  return original ?? null;
}

// Those who are active now, received it, and have not confirmed it.
async function countWaiting(
  database: Database,
  { companyId }: Owner,
  no: number,
  recipientId: number | null,
): Promise<{ reach: number; name: string | null }> {
  const [counted] = await database.execute<{ reach: number; name: string | null }>(expression`
    with n as (select recipient_id from notifications where company_id = ${companyId} and no = ${no}), reached as (
      select recipient_id as id from n where recipient_id is not null
      union all
      select s.employee_id from n join employment s on s.company_id = ${companyId}
        and s.from_no < ${no}::bigint and ${no}::bigint <= coalesce(s.until_no, ${no}::bigint)
      where n.recipient_id is null
    ), confirmed as (
      select employee_id from receipts where company_id = ${companyId} and no = ${no} and confirmed_at is not null
    )
    select count(*)::int as reach, case when ${recipientId}::int is not null then min(e.name) end as name
    from reached join employees e on e.company_id = ${companyId} and e.id = reached.id and e.active
    left join confirmed on confirmed.employee_id = e.id
    where confirmed.employee_id is null and (${recipientId}::int is null or e.id = ${recipientId}::int)`);
  return counted ?? { reach: 0, name: null };
}

async function insertReminder(
  database: Database,
  { companyId, accountId }: Owner,
  { no }: Original,
  recipientId: number | null,
  reach: number,
): Promise<number> {
  const [made] = await database.execute<{ no: number }>(expression`
    with company as (
      update companies set last_no = last_no + 1 where id = ${companyId} returning last_no
    ), notification as (
      insert into notifications
        (company_id, no, recipient_id, title, body, kind, url, reach, account_id, reminds_no, created_at)
      select company_id, company.last_no, ${recipientId}::int, title, body, kind, url, ${reach}, ${accountId}, no,
        clock_timestamp()
      from company, notifications where company_id = ${companyId} and no = ${no}
      returning no, recipient_id
    )
    select no, case when pg_notification_queue_usage() < 0.9
      then pg_notify('notifications', json_build_array(${companyId}::int, no, recipient_id)::text) end from notification`);
  if (!made) throw new Error('the reminder was not inserted');
  return Number(made.no);
}
