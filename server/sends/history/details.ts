import { type Fragment, findRow, sql } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import {
  andContainsWords,
  fromRecipients,
  hasRead,
  isToEveryone,
  reminderConcerns,
} from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import { isCorrectable } from '#server/sends/history/correct.ts';
import { joinSendNames, type Send, sendColumns } from '#server/sends/history/send-list.ts';
import type { RecipientState } from '#server/sends/history/states.ts';
import type { DraftContent } from '#server/sends/manual/drafts.ts';
import { textColumns } from '#server/sends/store.ts';

/**
 * One person's receipt of one send. `readAt` may be null although `read` is true: the time is not
 * always known. `active` is today's state; an inactive employee received the send all the same.
 */
export type Recipient = Pick<Rows['employees'], 'id' | 'name' | 'role' | 'active'> &
  Pick<Rows['receipts'], 'shownAt' | 'readAt' | 'confirmedAt'> & { read: boolean };

/** Which people of a send; all conditions together. `search` is part of a name, or an id. */
export type RecipientFilter = { state?: RecipientState; search?: string };

const stateConditions = {
  shown: () => sql()`r.shown_at is not null`,
  notShown: () => sql()`r.shown_at is null`,
  read: () => hasRead(),
  unread: () => sql()`not ${hasRead()}`,
  confirmed: () => sql()`r.confirmed_at is not null`,
  unconfirmed: () => sql()`r.confirmed_at is null`,
  beforeCorrection: () => sql()`r.confirmed_at < n.corrected_at`,
} as const;

/**
 * When a person read a notification, over the tables of `fromRecipients`; null also when the time was not
 * recorded. Who reads one by one has a receipt. Who marked everything up to a number read has a
 * mark, and the first mark that covers the number is the earliest.
 */
export const readAt = () => sql()`
  case when r.unread_at is null then coalesce(r.read_at, (
    select m.at from read_marks m
    where m.company_id = e.company_id and m.employee_id = e.id and m.up_to >= n.no and n.no <= e.read_up_to
    order by m.up_to limit 1
  )) end`;

/** The columns of a `Recipient`, over the tables of `fromRecipients`. */
const recipientColumns = () => sql()`
  e.id, e.name, e.role, e.active, r.shown_at as "shownAt", ${hasRead()} as read, r.confirmed_at as "confirmedAt",
  ${readAt()} as "readAt"`;

/**
 * The people whom a send of the owner's company reached, ordered by id: up to `limit` above id
 * `after`, and whether there are more. Empty for a send that does not exist.
 */
export async function listRecipients(
  manager: Manager,
  no: number,
  { after = 0, filter = {}, limit = 50 }: { after?: number; filter?: RecipientFilter; limit?: number } = {},
): Promise<{ people: Recipient[]; more: boolean }> {
  const { companyId } = manager;
  const rows = await sql()<Recipient[]>`
    with n as materialized (
      select company_id, no, recipient_id, is_listed, reminds_no, corrected_at from notifications
      where company_id = ${companyId} and no = ${no} and reach > 0
    )
    ${selectRecipients({ companyId, no, after, filter, limit: limit + 1 })}`;
  return { people: rows.slice(0, limit), more: rows.length > limit };
}

type RecipientPage = { companyId: number; no: number; after: number; filter: RecipientFilter; limit: number };

// Without a filter it reads person by person until the page is full. With a filter the matches may be
// anywhere, so it reads all receipts of the send at once.
function selectRecipients({ companyId, no, after, filter, limit }: RecipientPage) {
  const receipts = sql()`select * from receipts where company_id = ${companyId} and no = ${no}`;
  if (filter.state === undefined && filter.search === undefined)
    return sql()`
      select ${recipientColumns()}
      from (${selectReached({ companyId, no, after }, sql()`order by id limit ${limit}`)}) reached cross join n
      cross join lateral (select * from employees where company_id = ${companyId} and id = reached.id limit 1) e
      left join lateral (${receipts} and employee_id = reached.id limit 1) r on true
      order by e.id`;
  return sql()`
    , reached as materialized (${selectReached({ companyId, no, after })}),
    r as materialized (${receipts} and employee_id > ${after})
    select ${recipientColumns()}
    from reached cross join n
    join employees e on e.company_id = ${companyId} and e.id = reached.id
    left join r on r.employee_id = e.id
    where ${filterCondition(filter)}
    order by e.id limit ${limit}`;
}

// The people whom `n` reached, above id `after`. The first condition on periods keeps PostgreSQL from
// reading all of them for a send to somebody else.
const selectReached = ({ companyId, no, after }: Omit<RecipientPage, 'filter' | 'limit'>, upToLimit = sql()``) => sql()`
  select id from (
    select recipient_id as id from n where recipient_id > ${after}
    union all (
      select employee_id as id from notification_people
      where company_id = ${companyId} and no = ${no} and employee_id > ${after} ${upToLimit}
    ) union all (
      select s.id from n
      cross join lateral (
        select employee_id as id from employment
        where exists (select from n where ${isToEveryone()}) and company_id = ${companyId} and employee_id > ${after}
          and from_no < ${no} and (until_no is null or until_no >= ${no})
        order by employee_id
      ) s
      where ${reminderConcerns(sql()`s.id`)} ${upToLimit}
    )
  ) people ${upToLimit}`;

function filterCondition({ state, search }: RecipientFilter) {
  const nothing = sql()``;
  const id = /^\d{1,9}$/.test(search ?? '') ? Number(search) : 0;
  return sql()`true ${state ? sql()`and ${stateConditions[state]()}` : nothing}
    ${search ? sql()`and (e.id = ${id} or (true ${andContainsWords(search, [sql()`e.name`])}))` : nothing}`;
}

/**
 * A send with its audit entries. `sentBy` is the sender's name at that time. The sender received
 * `requestId` in the response. Both are null when the audit log has no entry. `isCorrectable`: its
 * text can still be corrected.
 */
export type SendDetails = Send &
  Pick<Rows['notifications'], 'body' | 'url' | 'correctedAt'> & {
    sentBy: string | null;
    requestId: string | null;
    withdrawnBy: string | null;
    isCorrectable: boolean;
  };

export async function findSend(manager: Manager, no: number): Promise<SendDetails | null> {
  return findRow(sql()<SendDetails[]>`
    select ${sendColumns()}, n.body, n.url,
      made.actor_name as "sentBy", made.request_id as "requestId", undone.actor_name as "withdrawnBy",
      n.corrected_at as "correctedAt", ${isCorrectable()} as "isCorrectable"
    from notifications n
    ${joinSendNames()}
    left join lateral (${selectEntry(sql()`n.created_at`, ['notification.send', 'notification.remind'])}) made on true
    left join lateral (${selectEntry(sql()`n.withdrawn_at`, ['notification.withdraw'])}) undone on true
    where n.company_id = ${manager.companyId} and n.no = ${no}`);
}

type CorrectionEntry = Pick<Rows['auditLog'], 'at'> & { by: string; title: string; body: string };

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

// By time, which the audit log has an index for: the time at which the transaction of an entry began.
const selectEntry = (time: Fragment, actions: string[]) => sql()`
  select l.actor_name, l.request_id from audit_log l
  where l.company_id = n.company_id and l.at between ${time} - interval '10 s' and ${time}
    and l.action = any(${actions}::text[])
    and (l.details->>'no')::bigint in (n.no, case when l.action = 'notification.withdraw' then n.reminds_no end)
  limit 1`;

/** One person's receipt of one send, or null when the send did not reach them or does not exist. */
export async function findRecipient(manager: Manager, no: number, employeeId: number): Promise<Recipient | null> {
  return findRow(sql()<Recipient[]>`
    select ${recipientColumns()} from ${fromRecipients()}
      and n.company_id = ${manager.companyId} and n.no = ${no} and reached.id = ${employeeId} limit 1`);
}

type Reminder = Pick<Rows['notifications'], 'no' | 'createdAt' | 'reach'>;

/** The 20 latest reminders of a send, or of one recipient, the newest first. */
export async function listReminders(
  manager: Manager,
  no: number,
  employeeId: number | null = null,
): Promise<Reminder[]> {
  return sql()<Reminder[]>`
    select f.no, f.created_at as "createdAt", f.reach from notifications f
    where f.company_id = ${manager.companyId} and f.reminds_no = ${no}
      and (${employeeId}::int is null or exists (
        select from ${fromRecipients()} and n.company_id = f.company_id and n.no = f.no and reached.id = ${employeeId}::int))
    order by f.no desc limit 20`;
}

/**
 * Text and recipients of a send of the company, to send it again, or null. A reminder has the
 * recipients of its original, unless it was for one person. Of chosen people those whom it reached.
 */
export async function findSendContent({ companyId }: Manager, no: number): Promise<DraftContent | null> {
  return findRow(sql()<DraftContent[]>`
    select ${textColumns(sql()`n.`)}, n.must_confirm or n.reminds_no is not null as "mustConfirm", case
      when n.recipient_id is not null then jsonb_build_object('to', 'one', 'employeeId', n.recipient_id)
      when original.to_roles is not null then jsonb_build_object('to', 'roles', 'roles', original.to_roles)
      when original.is_listed then jsonb_build_object('to', 'people', 'employeeIds', array(
        select employee_id from notification_people where company_id = ${companyId} and no = original.no
        order by employee_id))
      else '{"to": "everyone"}' end as recipients
    from notifications n
    join notifications original on original.company_id = ${companyId} and original.no = coalesce(n.reminds_no, n.no)
    where n.company_id = ${companyId} and n.no = ${no}`);
}
