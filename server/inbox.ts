import { sql } from '#db/client.ts';
import type { UnreadCount } from '#server/inbox-item.ts';
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

/** Which part of the inbox: everything, or what is unread; of all kinds or one; and only what holds these words. */
export type InboxFilter = { unread?: boolean; kind?: Kind; search?: string };

const mostSummarised = 1000;
const newestNo = Number.MAX_SAFE_INTEGER;

type Window = { above?: number; below?: number; order: 'asc' | 'desc'; filter?: InboxFilter; limit: number };

const asPattern = (words: string) => `%${words.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * The one query behind inbox, feed and counts: what was sent to this person, and the broadcasts within their
 * spans of activity, between two numbers, with their read state.
 */
async function readInbox(employee: Employee, { above = 0, below = newestNo, order, filter = {}, limit }: Window) {
  const direction = order === 'asc' ? sql()`asc` : sql()`desc`;
  const nothing = sql()``;
  const unread = sql()`and not (r.unread_at is null and (r.read_at is not null or n.no <= e.read_up_to))`;
  const { kind, search } = filter;
  const pattern = asPattern(search ?? '');
  const rule = sql()`${filter.unread ? unread : nothing} ${kind ? sql()`and n.kind = ${kind}` : nothing}
    ${search ? sql()`and (n.title ilike ${pattern} or n.body ilike ${pattern})` : nothing}`;
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
    )::int as count, (select last_no from companies where id = ${employee.companyId}) as "asOf",
      extract(epoch from now())::float8 * 1000 as at`;
  return row ?? { count: 0, asOf: 0, at: 0 };
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

/** What `markAllRead` changed, so that it can be taken back: the watermark before and after, and marks it removed. */
export type MarkedAll = { before: number; upTo: number; reopened: number[] };

const mostReopened = 1000;

/**
 * Marks everything up to number `upTo` read: what the person had seen when they asked, so that what arrives in
 * between stays unread. The watermark never goes back but by `undoMarkAllRead`.
 */
export async function markAllRead(employee: Employee, upTo: number): Promise<MarkedAll> {
  const { companyId, employeeId } = employee;
  return sql().begin(async (transaction) => {
    const [row] = await transaction<{ before: number; upTo: number }[]>`
      update employees e set read_up_to = greatest(e.read_up_to, least(${upTo}, c.last_no))
      from companies c, employees old
      where c.id = e.company_id and e.company_id = ${companyId} and e.id = ${employeeId}
        and old.company_id = e.company_id and old.id = e.id
      returning old.read_up_to as before, e.read_up_to as "upTo"`;
    const reopened = await transaction<{ no: number }[]>`
      update receipts set unread_at = null, read_at = coalesce(read_at, now())
      where company_id = ${companyId} and employee_id = ${employeeId} and no <= ${upTo} and unread_at is not null
      returning no`;
    return {
      before: row?.before ?? 0,
      upTo: row?.upTo ?? 0,
      reopened: reopened.map(({ no }) => no).slice(0, mostReopened),
    };
  });
}

/** Takes a `markAllRead` back, unless the watermark was moved again since. What was read one by one stays read. */
export async function undoMarkAllRead(employee: Employee, { before, upTo, reopened }: MarkedAll): Promise<boolean> {
  const { companyId, employeeId } = employee;
  return sql().begin(async (transaction) => {
    const undone = await transaction`
      update employees set read_up_to = ${before}
      where company_id = ${companyId} and id = ${employeeId} and read_up_to = ${upTo} and ${before}::bigint <= read_up_to
      returning 1`;
    if (undone.length === 0) return false;
    await transaction`
      update receipts set unread_at = now()
      where company_id = ${companyId} and employee_id = ${employeeId} and no = any(${reopened.slice(0, mostReopened)}::bigint[])`;
    return true;
  });
}

/** Notes that these notifications were shown to the person; those that are not theirs are passed over. */
export async function noteShown(employee: Employee, numbers: number[]): Promise<void> {
  if (numbers.length === 0) return;
  await sql()`
    insert into receipts as old (company_id, employee_id, no, shown_at)
    select company_id, ${employee.employeeId}, no, now() from (${selectMine(employee, numbers)}) mine
    on conflict (company_id, employee_id, no) do update set shown_at = coalesce(old.shown_at, now())`;
}
