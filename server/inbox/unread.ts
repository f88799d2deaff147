import { sql } from '#db/client.ts';
import type { UnreadCount } from '#server/inbox/inbox-item.ts';
import { reminderToAllConcerns, stillCounts } from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { Employee } from '#server/principals.ts';

const newestNo = Number.MAX_SAFE_INTEGER;
const mostCounted = 1000;

type Window = { above?: number; below?: number; order: 'asc' | 'desc' };

/**
 * The numbers of what this person has not read, as a SQL query of `no`, up to `limit`: above their watermark all but what they read one by one,
 * and below it what they marked unread again. Answered by indexes alone; each part stops at `limit`.
 */
export function unreadNumbers(
  { companyId, employeeId }: Employee,
  { above = 0, below = newestNo, order, limit }: Window & { limit?: number },
) {
  const direction = order === 'asc' ? sql()`asc` : sql()`desc`;
  const most = limit === undefined ? sql()`` : sql()`limit ${limit}`;
  const theirs = sql()`company_id = ${companyId} and employee_id = ${employeeId}`;
  const watermark = sql()`(select read_up_to from e)`;
  const readOneByOne = sql()`select no from receipts
    where ${theirs} and no > ${watermark} and read_at is not null and unread_at is null`;
  const isUnread = sql()`n.company_id = ${companyId} and n.no > greatest(${above}::bigint, ${watermark}) and n.no < ${below}
    and ${stillCounts()} and n.no not in (${readOneByOne})`;
  return sql()`
    with e as materialized (select read_up_to from employees where company_id = ${companyId} and id = ${employeeId})
    (
      select n.no from notifications n where n.recipient_id = ${employeeId} and ${isUnread} order by n.no ${direction} ${most}
    ) union all (
      select n.no
      from (
        select from_no, coalesce(until_no, ${newestNo}) as until_no from employment
        where ${theirs} and from_no < ${below} and coalesce(until_no, ${newestNo}) > ${watermark}
        order by from_no ${direction}
      ) s
      cross join lateral (
        select n.no from notifications n
        where n.recipient_id is null and ${isUnread} and n.no > s.from_no and n.no <= s.until_no
          and ${reminderToAllConcerns(sql()`${employeeId}::int`)}
        order by n.no ${direction} ${most}
      ) n
      order by s.from_no ${direction}, n.no ${direction} ${most}
    ) union all (
      select r.no from receipts r
      join notifications n on n.company_id = ${companyId} and n.no = r.no and n.withdrawn_at is null
      where r.company_id = ${companyId} and r.employee_id = ${employeeId} and r.unread_at is not null
        and r.no <= ${watermark} and r.no > ${above} and r.no < ${below}
      order by r.no ${direction} ${most}
    )`;
}

/**
 * The numbers of what this person has yet to confirm, without the reminders of it, as a SQL query of `no`, at most `limit` of either kind. Answered
 * by indexes alone.
 */
export function numbersToConfirm(
  { companyId, employeeId }: Employee,
  { below = newestNo, limit }: { below?: number; limit?: number },
) {
  const most = limit === undefined ? sql()`` : sql()`limit ${limit}`;
  const theirs = sql()`company_id = ${companyId} and employee_id = ${employeeId}`;
  const waits = sql()`n.company_id = ${companyId} and n.must_confirm and n.no < ${below} and ${stillCounts()}
    and n.no not in (select no from receipts where ${theirs} and confirmed_at is not null)`;
  return sql()`
    (
      select n.no from notifications n where n.recipient_id = ${employeeId} and ${waits} order by n.no desc ${most}
    ) union all (
      select n.no from notifications n
      where n.recipient_id is null and ${waits} and exists (
        select from employment where ${theirs} and from_no < n.no and n.no <= coalesce(until_no, ${newestNo}))
      order by n.no desc ${most}
    )`;
}

/** How many notifications are unread, and as of which number; counted to 1,000, which means that there may be more. */
export async function countUnread(employee: Employee): Promise<UnreadCount> {
  const [row] = await sql()<UnreadCount[]>`
    select (select count(*)::int from (select from (${unreadNumbers(employee, { order: 'asc', limit: mostCounted })}) u limit ${mostCounted}) c) as count,
      c.last_no as "asOf", extract(epoch from now())::float8 * 1000 as at
    from companies c where c.id = ${employee.companyId}`;
  return row ?? { count: 0, asOf: 0, at: 0 };
}

/** How many of the newest 1,000 that are unread are of each kind, the most first; kinds that have none are left out. */
export async function countUnreadByKind(employee: Employee): Promise<{ kind: Kind; count: number }[]> {
  const rows = await sql()<{ kind: Kind; count: number }[]>`
    select n.kind, count(*)::int as count
    from (
      select no from (${unreadNumbers(employee, { order: 'desc', limit: mostCounted })}) u order by no desc limit ${mostCounted}
    ) u
    join notifications n on n.company_id = ${employee.companyId} and n.no = u.no
    group by n.kind order by count(*) desc, n.kind`;
  return [...rows];
}
