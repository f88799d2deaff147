import { inTransaction, sql, type Transaction } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { announce } from '#db/wake-ups.ts';
import { recordAudit } from '#server/audit/record.ts';
import { selectSeveral, severalRecipients } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import { pushToDevices } from '#server/push/push.ts';

/** The shortest time between two reminders of one notification, in minutes. */
export const reminderEveryMinutes = 10;

/** A reminder that was sent: its own number, and how many people it reached. */
export type Reminded = { no: number; reach: number };

/** Why no reminder was sent. `retryAt`: when the next one is allowed. */
export type NotReminded = 'no-such-notification' | 'nobody-left' | { retryAt: Date };

type OriginalRow = { title: string; recipientId: number | null; lastReminderAt: Date | null };

/**
 * Reminds all recipients who have not confirmed a notification, or only `employeeId`. A reminder is
 * a notification that only they see. `reach` counts the active recipients exactly. Returns
 * `'no-such-notification'` when the original was withdrawn or requires no confirmation,
 * `'nobody-left'` when no recipient must be reminded.
 */
export async function remind(manager: Manager, no: number, employeeId: number | null): Promise<Reminded | NotReminded> {
  const outcome = await inTransaction(async (tx): Promise<Reminded | NotReminded> => {
    // Before the lock that all sends of the company wait for. Who received a notification never
    // changes, and confirmations are final, so nobody joins these people later.
    const candidates = await listCandidates(tx, manager, no, employeeId);
    // The company's row first, as everywhere. The original's lock keeps confirmations out until the
    // commit.
    await lockCompanyRow(tx, manager);
    const original = await lockOriginal(tx, manager, no);
    if (!original) return 'no-such-notification';
    const { title, lastReminderAt } = original;
    if (lastReminderAt) return { retryAt: new Date(lastReminderAt.getTime() + reminderEveryMinutes * 60_000) };
    const recipientId = employeeId ?? original.recipientId;
    const onlyId = recipientId === severalRecipients ? null : recipientId;
    const people = await findUnconfirmed(tx, manager, no, candidates);
    const reach = people.length;
    if (reach === 0) return 'nobody-left';
    const reminderNo = await insertReminder(tx, manager, no, recipientId, reach);
    if (recipientId === severalRecipients) await insertPeople(tx, manager, reminderNo, people);
    const recipientName = onlyId === null ? null : await findName(tx, manager, onlyId);
    const details = { no: reminderNo, title, remindsNo: no, reach, recipientName };
    await recordAudit(tx, manager, 'notification.remind', { ...details, employeeId: onlyId ?? undefined });
    return { no: reminderNo, reach };
  });
  if (typeof outcome === 'object' && 'no' in outcome) {
    announce(manager.companyId);
    pushToDevices(manager, outcome.no);
  }
  return outcome;
}

async function lockOriginal(tx: Transaction, { companyId }: Manager, no: number): Promise<OriginalRow | null> {
  const [original] = await tx<OriginalRow[]>`
    select title, recipient_id as "recipientId", (
      select max(created_at) from notifications
      where company_id = ${companyId} and reminds_no = ${no}
        and created_at > clock_timestamp() - make_interval(mins => ${reminderEveryMinutes})
    ) as "lastReminderAt"
    from notifications
    where company_id = ${companyId} and no = ${no} and must_confirm and withdrawn_at is null and reach > 0
    for no key update`;
  return original ?? null;
}

// Who received it, active or not, and has not confirmed it; or only `employeeId`, if it is one of them.
async function listCandidates(
  tx: Transaction,
  { companyId }: Manager,
  no: number,
  employeeId: number | null,
): Promise<number[]> {
  const [row] = await tx<{ ids: number[] }[]>`
    with n as (select recipient_id from notifications where company_id = ${companyId} and no = ${no}), reached as (
      select recipient_id as id from n where recipient_id > 0
      union all
      ${selectSeveral(sql()`${companyId}::int`, sql()`${no}::bigint`)}
      union all
      select s.employee_id from n join employment s on s.company_id = ${companyId}
        and s.from_no < ${no}::bigint and ${no}::bigint <= coalesce(s.until_no, ${no}::bigint)
      where n.recipient_id is null
    )
    select coalesce(array_agg(id order by id), '{}') as ids
    from (select id from reached except all select employee_id from (${selectConfirmed(companyId, no)}) confirmed) left_over
    where ${employeeId}::int is null or id = ${employeeId}::int`;
  return row?.ids ?? [];
}

const selectConfirmed = (companyId: number, no: number) => sql()`
  select employee_id from receipts where company_id = ${companyId} and no = ${no} and confirmed_at is not null`;

// Of the candidates, those who are active and have not confirmed it meanwhile. It reads the inactive
// employees instead of all candidates: they are few, and an index has them.
async function findUnconfirmed(
  tx: Transaction,
  { companyId }: Manager,
  no: number,
  candidates: number[],
): Promise<number[]> {
  const [row] = await tx<{ ids: number[] }[]>`
    select coalesce(array_agg(id order by id), '{}') as ids from (
      select id from unnest(${candidates}::int[]) as candidate (id)
      except all select employee_id from (${selectConfirmed(companyId, no)}) confirmed
      except all select id from employees where company_id = ${companyId} and not active
    ) people`;
  return row?.ids ?? [];
}

async function findName(tx: Transaction, { companyId }: Manager, employeeId: number): Promise<string | null> {
  const [row] = await tx<{ name: string }[]>`
    select name from employees where company_id = ${companyId} and id = ${employeeId}`;
  return row?.name ?? null;
}

// Roles change, so a reminder of a send to roles keeps its people too.
async function insertPeople(tx: Transaction, { companyId }: Manager, no: number, people: number[]): Promise<void> {
  await tx`
    insert into notification_people (company_id, no, employee_id)
    select ${companyId}, ${no}, id from unnest(${people}::int[]) as p (id)`;
}

async function insertReminder(
  tx: Transaction,
  { companyId, accountId }: Manager,
  no: number,
  recipientId: number | null,
  reach: number,
): Promise<number> {
  const [reminder] = await tx<{ no: number }[]>`
    with company as (
      update companies set last_no = last_no + 1 where id = ${companyId} returning last_no
    )
    insert into notifications
      (company_id, no, recipient_id, title, body, kind, url, reach, account_id, reminds_no, created_at)
    select company_id, company.last_no, ${recipientId}::int, title, body, kind, url, ${reach}, ${accountId}, no,
      clock_timestamp()
    from company, notifications where company_id = ${companyId} and no = ${no}
    returning no`;
  if (!reminder) throw new Error('the reminder was not inserted');
  return reminder.no;
}
