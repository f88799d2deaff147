import { sql } from '#db/client.ts';
import type { Kind } from '#server/notification-kind.ts';
import type { Employee } from '#server/session.ts';

/** A notification in one employee's inbox; `no` grows with time within the company, `sender` is the key's name. */
export type InboxItem = {
  no: number;
  kind: Kind;
  title: string;
  body: string;
  url: string | null;
  createdAt: Date;
  sender: string;
  read: boolean;
};

/** Which part of the inbox: everything, or what is unread. */
export type InboxFilter = 'all' | 'unread';

const newestNo = Number.MAX_SAFE_INTEGER;

type Window = { above?: number; below?: number; order: 'asc' | 'desc'; filter?: InboxFilter; limit: number };

/**
 * The one query behind inbox, feed and counts: what was sent to this person, and the broadcasts within their
 * spans of activity, between two numbers, with their read state.
 */
async function readInbox(employee: Employee, { above = 0, below = newestNo, order, filter = 'all', limit }: Window) {
  const direction = order === 'asc' ? sql()`asc` : sql()`desc`;
  const unreadOnly = sql()`and not (r.unread_at is null and (r.read_at is not null or n.no <= e.read_up_to))`;
  const rule = filter === 'unread' ? unreadOnly : sql()``;
  return sql()<InboxItem[]>`
    with e as (
      select id, read_up_to from employees where company_id = ${employee.companyId} and id = ${employee.employeeId}
    ), visible as (
      (
        select n.no, n.title, n.body, n.kind, n.url, n.created_at, n.key_id, n.account_id,
          r.unread_at is null and (r.read_at is not null or n.no <= e.read_up_to) as read
        from e
        join notifications n on n.company_id = ${employee.companyId} and n.recipient_id = e.id
        left join receipts r on r.company_id = n.company_id and r.employee_id = e.id and r.no = n.no
        where n.reach > 0 and n.no > ${above} and n.no < ${below} ${rule}
        order by n.no ${direction} limit ${limit}
      ) union all (
        select n.*
        from e
        join employment s on s.company_id = ${employee.companyId} and s.employee_id = e.id
        cross join lateral (
          select n.no, n.title, n.body, n.kind, n.url, n.created_at, n.key_id, n.account_id,
            r.unread_at is null and (r.read_at is not null or n.no <= e.read_up_to) as read
          from notifications n
          left join receipts r on r.company_id = n.company_id and r.employee_id = e.id and r.no = n.no
          where n.company_id = ${employee.companyId} and n.recipient_id is null
            and n.no > greatest(${above}::bigint, s.from_no) and n.no < ${below}
            and n.no <= coalesce(s.until_no, ${newestNo}) ${rule}
          order by n.no ${direction} limit ${limit}
        ) n
      )
    )
    select v.no, v.title, v.body, v.kind, v.url, v.created_at as "createdAt", v.read,
      coalesce(k.name, a.name) as sender
    from visible v
    left join api_keys k on k.company_id = ${employee.companyId} and k.id = v.key_id
    left join accounts a on a.company_id = ${employee.companyId} and a.id = v.account_id
    order by v.no ${direction} limit ${limit}`;
}

/** Up to `limit` notifications older than number `before` (none: from the newest), newest first, and whether there are more. */
export async function listInbox(
  employee: Employee,
  { before, filter = 'all', limit = 20 }: { before?: number; filter?: InboxFilter; limit?: number } = {},
): Promise<{ items: InboxItem[]; more: boolean }> {
  const rows = await readInbox(employee, { below: before ?? newestNo, order: 'desc', filter, limit: limit + 1 });
  return { items: rows.slice(0, limit), more: rows.length > limit };
}

/** What arrived after number `after`, oldest first, at most `limit`: the query of poll, resume and sign-in alike. */
export async function notificationsSince(employee: Employee, after: number, limit = 50): Promise<InboxItem[]> {
  return [...(await readInbox(employee, { above: after, order: 'asc', limit }))];
}

/** How many notifications are unread. Walks only what lies above the watermark. */
export async function countUnread(employee: Employee): Promise<number> {
  const [row] = await sql()<{ unread: number }[]>`
    with e as (
      select id, read_up_to from employees where company_id = ${employee.companyId} and id = ${employee.employeeId}
    ), above as (
      select n.no from e
      join notifications n on n.company_id = ${employee.companyId} and n.recipient_id = e.id
      where n.reach > 0 and n.no > e.read_up_to
      union all
      select n.no from e
      join employment s on s.company_id = ${employee.companyId} and s.employee_id = e.id
      join notifications n on n.company_id = ${employee.companyId} and n.recipient_id is null
        and n.no > greatest(e.read_up_to, s.from_no) and n.no <= coalesce(s.until_no, ${newestNo})
    )
    select (
      (select count(*) from above) - (
        select count(*) from e join receipts r on r.company_id = ${employee.companyId} and r.employee_id = e.id
        where r.no > e.read_up_to and r.read_at is not null and r.unread_at is null
      ) + (
        select count(*) from e join receipts r on r.company_id = ${employee.companyId} and r.employee_id = e.id
        where r.no <= e.read_up_to and r.unread_at is not null
      )
    )::int as unread`;
  return row?.unread ?? 0;
}

// Those of these notifications that are in this employee's inbox.
const selectMine = (employee: Employee, numbers: number[]) => sql()`
  select n.company_id, n.no from notifications n
  where n.company_id = ${employee.companyId} and n.no = any(${numbers}::bigint[]) and n.reach > 0 and (
    n.recipient_id = ${employee.employeeId} or n.recipient_id is null and exists (
      select from employment s
      where s.company_id = n.company_id and s.employee_id = ${employee.employeeId}
        and s.from_no < n.no and n.no <= coalesce(s.until_no, n.no)))`;

/** Marks one notification read, or unread again. One that is not theirs is `'not-in-inbox'`. */
export async function markRead(employee: Employee, no: number, read: boolean): Promise<'marked' | 'not-in-inbox'> {
  const rows = await sql()`
    insert into receipts as old (company_id, employee_id, no, read_at, unread_at)
    select company_id, ${employee.employeeId}, no,
      case when ${read} then now() end, case when not ${read} then now() end
    from (${selectMine(employee, [no])}) mine
    on conflict (company_id, employee_id, no) do update set
      read_at = case when ${read} then coalesce(old.read_at, now()) else old.read_at end,
      unread_at = excluded.unread_at
    returning 1`;
  return rows.length > 0 ? 'marked' : 'not-in-inbox';
}

/**
 * Marks everything up to number `upTo` read: what the person had seen when they asked, so that what arrives in
 * between stays unread. The watermark never goes back.
 */
export async function markAllRead(employee: Employee, upTo: number): Promise<void> {
  await sql()`
    with raised as (
      update employees e set read_up_to = greatest(e.read_up_to, least(${upTo}, c.last_no))
      from companies c
      where c.id = e.company_id and e.company_id = ${employee.companyId} and e.id = ${employee.employeeId}
    )
    update receipts set unread_at = null, read_at = coalesce(read_at, now())
    where company_id = ${employee.companyId} and employee_id = ${employee.employeeId}
      and no <= ${upTo} and unread_at is not null`;
}

/** Notes that these notifications were shown to the person; those that are not theirs are passed over. */
export async function noteShown(employee: Employee, numbers: number[]): Promise<void> {
  if (numbers.length === 0) return;
  await sql()`
    insert into receipts as old (company_id, employee_id, no, shown_at)
    select company_id, ${employee.employeeId}, no, now() from (${selectMine(employee, numbers)}) mine
    on conflict (company_id, employee_id, no) do update set shown_at = coalesce(old.shown_at, now())`;
}
