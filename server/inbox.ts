import { sql } from '#db/client.ts';
import { asPattern, hasRead, reminderConcerns, stillCounts } from '#server/audience.ts';
import type { UnreadCount } from '#server/inbox-item.ts';
import type { Kind } from '#server/notification-kind.ts';
import type { Employee } from '#server/session.ts';

/**
 * A notification in one employee's inbox; `no` grows with time within the company, `sender` is the key's name, or with `byHand`
 * the person's. `mustConfirm` and `confirmedAt` of a reminder are those of what it reminds of, `remindsNo`.
 */
export type InboxItem = {
  no: number;
  kind: Kind;
  title: string;
  body: string;
  url: string | null;
  createdAt: Date;
  sender: string;
  byHand: boolean;
  read: boolean;
  mustConfirm: boolean;
  confirmedAt: Date | null;
  remindsNo: number | null;
};

/**
 * Which part of the inbox: everything, or what is unread; of all kinds or one; only what holds these words; only what the person
 * has yet to confirm, without reminders of it.
 */
export type InboxFilter = { unread?: boolean; kind?: Kind; search?: string; toConfirm?: boolean };

const mostSummarised = 1000;
const mostWithdrawn = 1000;
const newestNo = Number.MAX_SAFE_INTEGER;

type Window = { above?: number; below?: number; order: 'asc' | 'desc'; filter?: InboxFilter; limit: number };

// What is read of a notification `n` for the person `e`; a reminder speaks for what it reminds of.
const columns = () => sql()`
  n.no, n.title, n.body, n.kind, n.url, n.created_at, n.key_id, n.account_id, n.reminds_no,
  n.must_confirm or n.reminds_no is not null as must_confirm, ${hasRead()} as read,
  case when n.must_confirm or n.reminds_no is not null then (
    select about.confirmed_at from receipts about
    where about.company_id = n.company_id and about.employee_id = e.id and about.no = coalesce(n.reminds_no, n.no)
  ) end as confirmed_at`;

function ruleOf({ unread, kind, search, toConfirm }: InboxFilter) {
  const nothing = sql()``;
  const pattern = asPattern(search ?? '');
  return sql()`and ${stillCounts()} and ${reminderConcerns()}
    ${unread ? sql()`and not ${hasRead()}` : nothing} ${kind ? sql()`and n.kind = ${kind}` : nothing}
    ${search ? sql()`and (n.title ilike ${pattern} or n.body ilike ${pattern})` : nothing}
    ${toConfirm ? sql()`and n.must_confirm and r.confirmed_at is null` : nothing}`;
}

/**
 * The one query behind inbox, feed and counts: what was sent to this person, and the broadcasts within their
 * spans of activity, between two numbers, with their read state.
 */
async function readInbox(employee: Employee, { above = 0, below = newestNo, order, filter = {}, limit }: Window) {
  const direction = order === 'asc' ? sql()`asc` : sql()`desc`;
  const rule = ruleOf(filter);
  return sql()<InboxItem[]>`
    with e as (
      select id, read_up_to from employees where company_id = ${employee.companyId} and id = ${employee.employeeId}
    ), visible as (
      (
        select ${columns()}
        from e
        join notifications n on n.company_id = ${employee.companyId} and n.recipient_id = e.id
        left join receipts r on r.company_id = n.company_id and r.employee_id = e.id and r.no = n.no
        where n.no > ${above} and n.no < ${below} ${rule}
        order by n.no ${direction} limit ${limit}
      ) union all (
        select n.*
        from e
        join employment s on s.company_id = ${employee.companyId} and s.employee_id = e.id
        cross join lateral (
          select ${columns()}
          from notifications n
          left join receipts r on r.company_id = n.company_id and r.employee_id = e.id and r.no = n.no
          where n.company_id = ${employee.companyId} and n.recipient_id is null
            and n.no > greatest(${above}::bigint, s.from_no) and n.no < ${below}
            and n.no <= coalesce(s.until_no, ${newestNo}) ${rule}
          order by n.no ${direction} limit ${limit}
        ) n
      )
    )
    select v.no, v.title, v.body, v.kind, v.url, v.created_at as "createdAt", v.read, v.must_confirm as "mustConfirm",
      v.confirmed_at as "confirmedAt", v.reminds_no as "remindsNo", coalesce(k.name, a.name) as sender,
      v.account_id is not null as "byHand"
    from visible v
    left join api_keys k on k.company_id = ${employee.companyId} and k.id = v.key_id
    left join accounts a on a.company_id = ${employee.companyId} and a.id = v.account_id
    order by v.no ${direction} limit ${limit}`;
}

/** Up to `limit` notifications older than number `before` (none: from the newest), newest first, and whether there are more. */
export async function listInbox(
  employee: Employee,
  { before, filter = {}, limit = 20 }: { before?: number; filter?: InboxFilter; limit?: number } = {},
): Promise<{ items: InboxItem[]; more: boolean }> {
  const rows = await readInbox(employee, { below: before ?? newestNo, order: 'desc', filter, limit: limit + 1 });
  return { items: rows.slice(0, limit), more: rows.length > limit };
}

/** How many are unread of each kind that has any, the most first. Reads what is unread, so only for a summary. */
export async function countUnreadByKind(employee: Employee): Promise<{ kind: Kind; count: number }[]> {
  const unread = await readInbox(employee, { order: 'desc', filter: { unread: true }, limit: mostSummarised });
  const counts = Map.groupBy(unread, ({ kind }) => kind);
  return [...counts].map(([kind, { length }]) => ({ kind, count: length })).sort((a, b) => b.count - a.count);
}

/** What arrived after number `after`, oldest first, at most `limit`: the query of poll, resume and sign-in alike. */
export async function notificationsSince(employee: Employee, after: number, limit = 50): Promise<InboxItem[]> {
  return [...(await readInbox(employee, { above: after, order: 'asc', limit }))];
}

/** How many notifications are unread, and as of which number. Walks only what lies above the watermark. */
export async function countUnread(employee: Employee): Promise<UnreadCount> {
  const [row] = await sql()<UnreadCount[]>`
    with e as (
      select id, read_up_to from employees where company_id = ${employee.companyId} and id = ${employee.employeeId}
    ), above as (
      select n.no from e
      join notifications n on n.company_id = ${employee.companyId} and n.recipient_id = e.id
      where ${stillCounts()} and n.no > e.read_up_to
      union all
      select n.no from e
      join employment s on s.company_id = ${employee.companyId} and s.employee_id = e.id
      join notifications n on n.company_id = ${employee.companyId} and n.recipient_id is null
        and n.no > greatest(e.read_up_to, s.from_no) and n.no <= coalesce(s.until_no, ${newestNo})
      where ${stillCounts()} and ${reminderConcerns()}
    ), marked as (
      select 1 as more, r.no from e
      join receipts r on r.company_id = ${employee.companyId} and r.employee_id = e.id
      where r.no <= e.read_up_to and r.unread_at is not null
      union all
      select -1, r.no from e
      join receipts r on r.company_id = ${employee.companyId} and r.employee_id = e.id
      where r.no > e.read_up_to and r.read_at is not null and r.unread_at is null
    )
    select (
      (select count(*) from above) + (
        select coalesce(sum(marked.more), 0) from marked
        join notifications n on n.company_id = ${employee.companyId} and n.no = marked.no and n.withdrawn_at is null)
    )::int as count, (select last_no from companies where id = ${employee.companyId}) as "asOf",
      extract(epoch from now())::float8 * 1000 as at`;
  return row ?? { count: 0, asOf: 0, at: 0 };
}

/** The numbers of what was withdrawn after number `after` and up to `upTo`, of what was for this person. */
export async function withdrawnSince(employee: Employee, after: number, upTo = newestNo): Promise<number[]> {
  const rows = await sql()<{ no: number }[]>`
    select no from notifications
    where company_id = ${employee.companyId} and withdrawn_no > ${after} and withdrawn_no <= ${upTo}
      and (recipient_id is null or recipient_id = ${employee.employeeId})
    order by withdrawn_no limit ${mostWithdrawn}`;
  return rows.map(({ no }) => no);
}
