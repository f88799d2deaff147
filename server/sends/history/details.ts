import { sql } from '#db/client.ts';
import type { Fragment } from '#db/notify.ts';
import type { Rows } from '#db/schema/rows.ts';
import { audience, selectSentTo } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import { isCorrectable } from '#server/sends/history/correct.ts';
import { joinSendNames, type Send, sendColumns } from '#server/sends/history/list.ts';
import { type Recipient, recipientColumns } from '#server/sends/history/recipients.ts';
import type { DraftContent } from '#server/sends/manual/drafts.ts';
import { textColumns } from '#server/sends/store.ts';

/**
 * A send with its audit entries. `sentBy` is the sender's name at that time. The sender received
 * `requestId` in the response. Both are null when the audit log has no entry.
 */
export type SendDetails = Send & {
  body: string;
  url: string | null;
  sentBy: string | null;
  requestId: string | null;
  withdrawnBy: string | null;
  correctedAt: Date | null;
  /** Whether its text can still be corrected. */
  isCorrectable: boolean;
};

/** A send of the owner's company by its number, or null. */
export async function findSend(manager: Manager, no: number): Promise<SendDetails | null> {
  const [row] = await sql()<SendDetails[]>`
    select ${sendColumns()}, n.body, n.url,
      made.actor_name as "sentBy", made.request_id as "requestId", undone.actor_name as "withdrawnBy",
      n.corrected_at as "correctedAt", ${isCorrectable()} as "isCorrectable"
    from notifications n
    ${joinSendNames()}
    left join lateral (${selectEntry(sql()`n.created_at`, ['notification.send', 'notification.remind'])}) made on true
    left join lateral (${selectEntry(sql()`n.withdrawn_at`, ['notification.withdraw'])}) undone on true
    where n.company_id = ${manager.companyId} and n.no = ${no}`;
  return row ?? null;
}

/** A correction of a send: when, by whom, and the text that it replaced. */
export type CorrectionEntry = {
  at: Rows['auditLog']['at'];
  by: Rows['auditLog']['actorName'];
  title: string;
  body: string;
};

/** The corrections of a send, the newest first, from the audit log. */
export async function listCorrections(
  { companyId }: Manager,
  { no, createdAt, correctedAt }: Pick<SendDetails, 'no' | 'createdAt' | 'correctedAt'>,
): Promise<CorrectionEntry[]> {
  if (correctedAt === null) return [];
  // By time, which the audit log has an index for.
  return sql()<CorrectionEntry[]>`
    select at, actor_name as by, details->'was'->>'title' as title, details->'was'->>'body' as body
    from audit_log
    where company_id = ${companyId} and at between ${createdAt}::timestamptz - interval '10 s' and
      ${correctedAt}::timestamptz + interval '10 s'
      and action = 'notification.correct' and (details->>'no')::bigint = ${no}
    order by id desc limit 20`;
}

// By time, which the audit log has an index for. An entry has the time at which its transaction
// began.
const selectEntry = (at: Fragment, actions: string[]) => sql()`
  select l.actor_name, l.request_id from audit_log l
  where l.company_id = n.company_id and l.at between ${at} - interval '10 s' and ${at}
    and l.action = any(${actions}::text[])
    and (l.details->>'no')::bigint in (n.no, case when l.action = 'notification.withdraw' then n.reminds_no end)
  limit 1`;

/** One person's receipt of one send, or null when the send did not reach them or does not exist. */
export async function findRecipient(manager: Manager, no: number, employeeId: number): Promise<Recipient | null> {
  const [row] = await sql()<Recipient[]>`
    select ${recipientColumns()} from ${audience()}
      and n.company_id = ${manager.companyId} and n.no = ${no} and reached.id = ${employeeId} limit 1`;
  return row ?? null;
}

/** The 20 latest reminders of a send, or of one recipient, the newest first. */
export async function listReminders(
  manager: Manager,
  no: number,
  employeeId: number | null = null,
): Promise<{ no: number; createdAt: Date; reach: number }[]> {
  return sql()<{ no: number; createdAt: Date; reach: number }[]>`
    select f.no, f.created_at as "createdAt", f.reach from notifications f
    where f.company_id = ${manager.companyId} and f.reminds_no = ${no}
      and (${employeeId}::int is null or exists (
        select from ${audience()} and n.company_id = f.company_id and n.no = f.no and reached.id = ${employeeId}::int))
    order by f.no desc limit 20`;
}

/**
 * Text and recipients of a send of the company, to send it again, or null. A reminder has the
 * recipients of its original, unless it was for one person. Of chosen people those whom it reached.
 */
export async function findSendContent({ companyId }: Manager, no: number): Promise<DraftContent | null> {
  const original = sql()`coalesce(n.reminds_no, n.no)`;
  const people = sql()`(
    select jsonb_build_object('to', 'people', 'employeeIds', coalesce(jsonb_agg(employee_id order by employee_id), '[]'))
    from notification_people where company_id = n.company_id and no = ${original})`;
  const [content] = await sql()<DraftContent[]>`
    select ${textColumns()}, n.must_confirm or n.reminds_no is not null as "mustConfirm",
      ${selectSentTo(original, people)}
    from notifications n
    where n.company_id = ${companyId} and n.no = ${no}`;
  return content ?? null;
}
